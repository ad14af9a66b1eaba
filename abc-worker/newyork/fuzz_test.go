package newyork

import (
	"testing"

	"assay.dev/contracts"
)

func FuzzMap(f *testing.F) {
	f.Add([]byte(`{"features":[{"attributes":{"LicensePermitID":"0340-22-106125","LicenseCla":340,"PremiseDBA":null}}],"exceededTransferLimit":true}`))
	f.Add([]byte(`{"error":{"code":400,"message":"Cannot perform query.","details":[]}}`))
	f.Add([]byte(`{"count":12}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, _, err := decodeLayer(body)
		if err != nil {
			return
		}
		for _, row := range rows {
			if r, ok := mapRecord(row); ok && (r.LicenseNumber == "" || r.Status != contracts.Active) {
				t.Errorf("%+v", r)
			}
		}
	})
}
