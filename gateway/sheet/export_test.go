package sheet

// ReadWorkbook reads the rows of the first sheet.
func ReadWorkbook(body []byte) ([]Row, error) {
	w, err := openWorkbook(body)
	if err != nil {
		return nil, err
	}
	return w.sheet(w.sheets[0].id)
}
