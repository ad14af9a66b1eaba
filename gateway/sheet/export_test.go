package sheet

// HoldWorkbooks has all workbooks wait until it is told to let them go on.
func HoldWorkbooks() (letGo func()) {
	for range cap(workbooks) {
		workbooks <- struct{}{}
	}
	return func() {
		for range cap(workbooks) {
			<-workbooks
		}
	}
}

// ReadWorkbook reads the rows of the first sheet.
func ReadWorkbook(body []byte) ([]Row, error) {
	w, err := openWorkbook(body)
	if err != nil {
		return nil, err
	}
	return w.sheet(w.sheets[0].id)
}
