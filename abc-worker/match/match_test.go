package match

import (
	"testing"

	"assay.dev/abc-worker/fold"
)

func TestAddressesAreCompared(t *testing.T) {
	for name, tt := range map[string]struct {
		mine, theirs [3]string // street, city, ZIP code
		want         grade
	}{
		"as it is":                         {[3]string{"100 MAIN ST", "NAPA", "94559"}, [3]string{"100 MAIN ST", "NAPA", "94559-1234"}, same},
		"written out":                      {[3]string{"100 North Main Street", "Napa", "94559"}, [3]string{"100 N MAIN ST", "NAPA", "94559"}, same},
		"an ordinal":                       {[3]string{"100 Second St.", "Napa", ""}, [3]string{"100 2ND ST", "NAPA", "94559"}, same},
		"a suite":                          {[3]string{"100 Main St #4", "Napa", "94559"}, [3]string{"100 MAIN ST STE 4", "NAPA", "94559"}, same},
		"another suite":                    {[3]string{"100 Main St Suite 5", "Napa", "94559"}, [3]string{"100 MAIN ST STE 4", "NAPA", "94559"}, nearly},
		"without its way":                  {[3]string{"100 Main", "Napa", "94559"}, [3]string{"100 MAIN ST", "NAPA", "94559"}, nearly},
		"another way":                      {[3]string{"100 Main Ave", "Napa", "94559"}, [3]string{"100 MAIN ST", "NAPA", "94559"}, elsewhere},
		"another direction":                {[3]string{"100 N Main St", "Napa", "94559"}, [3]string{"100 S MAIN ST", "NAPA", "94559"}, elsewhere},
		"a slip":                           {[3]string{"100 Sycamroe Ave", "Napa", "94559"}, [3]string{"100 SYCAMORE AVE", "NAPA", "94559"}, nearly},
		"house changed over":               {[3]string{"1243 Main St", "Napa", "94559"}, [3]string{"1234 MAIN ST", "NAPA", "94559"}, partly},
		"another house":                    {[3]string{"200 Main St", "Napa", "94559"}, [3]string{"100 MAIN ST", "NAPA", "94559"}, partly},
		"a house of Queens":                {[3]string{"3712 Broadway", "Astoria", "11103"}, [3]string{"37-12 BROADWAY", "ASTORIA", "11103"}, same},
		"another house of Queens":          {[3]string{"37-12 Main St", "Flushing", "11354"}, [3]string{"37-40 MAIN ST", "FLUSHING", "11354"}, partly},
		"a block of Queens":                {[3]string{"136 Roosevelt Ave", "Flushing", "11354"}, [3]string{"136-20 ROOSEVELT AVE", "FLUSHING", "11354"}, partly},
		"a block of Queens, with a letter": {[3]string{"136A Roosevelt Ave", "Flushing", "11354"}, [3]string{"136-20 ROOSEVELT AVE", "FLUSHING", "11354"}, partly},
		"a house of Queens with a letter":  {[3]string{"136-20A Roosevelt Ave", "Flushing", "11354"}, [3]string{"136-20 ROOSEVELT AVE", "FLUSHING", "11354"}, nearly},
		"houses in a row, shortened":       {[3]string{"1200 Main St", "Napa", "94559"}, [3]string{"1200-10 MAIN ST", "NAPA", "94559"}, nearly},
		"a house with a letter in a row":   {[3]string{"100A Main St", "Napa", "94559"}, [3]string{"100-104 MAIN ST", "NAPA", "94559"}, nearly},
		"houses in a row":                  {[3]string{"100 Main St", "Napa", "94559"}, [3]string{"100-104 MAIN ST", "NAPA", "94559"}, nearly},
		"house with a letter":              {[3]string{"100B Main St", "Napa", "94559"}, [3]string{"100A MAIN ST", "NAPA", "94559"}, partly},
		"A is a street":                    {[3]string{"100 A Street", "Napa", "94559"}, [3]string{"100 A ST", "NAPA", "94559"}, same},
		"a bay of the street's name":       {[3]string{"1515 Green Bay Rd", "Napa", "94559"}, [3]string{"1515 GREEN ST", "NAPA", "94559"}, elsewhere},
		"and without its way":              {[3]string{"1515 Green Bay", "Napa", "94559"}, [3]string{"1515 GREEN ST", "NAPA", "94559"}, elsewhere},
		"and of a suite":                   {[3]string{"1515 Green Bay Ste 4", "Napa", "94559"}, [3]string{"1515 GREEN BAY RD STE 4", "NAPA", "94559"}, nearly},
		"a bay, and a front":               {[3]string{"100 N Bay St", "Napa", "94559"}, [3]string{"100 N FRONT ST", "NAPA", "94559"}, elsewhere},
		"two bays":                         {[3]string{"3300 West Bay to Bay Boulevard", "Napa", "94559"}, [3]string{"3300 W BAY TO BAY BLVD", "NAPA", "94559"}, same},
		"a bay without its direction":      {[3]string{"2000 Bay Dr", "Napa", "94559"}, [3]string{"2000 E BAY DR", "NAPA", "94559"}, nearly},
		"the bay of a saint":               {[3]string{"100 St Andrews Bay Dr", "Napa", "94559"}, [3]string{"100 ST ANDREWS DR", "NAPA", "94559"}, elsewhere},
		"a bay of the house":               {[3]string{"100 Broadway Bay 4", "Napa", "94559"}, [3]string{"100 BROADWAY", "NAPA", "94559"}, same},
		"a building of the house":          {[3]string{"100 Broadway Building A Suite 4", "Napa", "94559"}, [3]string{"100 BROADWAY BLDG A STE 4", "NAPA", "94559"}, same},
		"the front of the house":           {[3]string{"100 Main St Front", "Napa", "94559"}, [3]string{"100 MAIN ST", "NAPA", "94559"}, same},
		"a floor of the street's name":     {[3]string{"100 Valley Floor Rd", "Napa", "94559"}, [3]string{"100 VALLEY RD", "NAPA", "94559"}, elsewhere},
		"a floor without a way":            {[3]string{"100 Broadway 2nd Floor", "Napa", "94559"}, [3]string{"100 BROADWAY 2ND FL", "NAPA", "94559"}, same},
		"a floor of the house":             {[3]string{"100 Main St Ground Floor", "Napa", "94559"}, [3]string{"100 MAIN ST GROUND FL", "NAPA", "94559"}, same},
		"another ZIP code":                 {[3]string{"100 Main St", "Napa", "94558"}, [3]string{"100 MAIN ST", "NAPA", "94559"}, nearly},
		"another city":                     {[3]string{"100 Main St", "Sonoma", "95476"}, [3]string{"100 MAIN ST", "NAPA", "94559"}, partly},
		"the city is called otherwise":     {[3]string{"100 Main St", "Browns Valley", "94559"}, [3]string{"100 MAIN ST", "NAPA", "94559"}, same},
		"neither city nor ZIP code":        {[3]string{"100 Main St", "", ""}, [3]string{"100 MAIN ST", "NAPA", "94559"}, partly},
		"saint":                            {[3]string{"1 Oak St", "Saint Helena", ""}, [3]string{"1 OAK ST", "ST HELENA", "94574"}, same},
		"one, in letters":                  {[3]string{"One Oak St", "Napa", ""}, [3]string{"1 OAK ST", "NAPA", "94574"}, same},
		"nothing but the city":             {[3]string{"", "Napa", ""}, [3]string{"1 OAK ST", "NAPA", "94574"}, unknown},
		"nothing but another city":         {[3]string{"", "Sonoma", ""}, [3]string{"1 OAK ST", "NAPA", "94574"}, differs},
		"a street that is not numbered":    {[3]string{"Hwy 12", "Napa", ""}, [3]string{"1 OAK ST", "NAPA", "94574"}, elsewhere},
		"a mailing address":                {[3]string{"PO Box 77", "Napa", "94581"}, [3]string{"1 OAK ST", "NAPA", "94574"}, elsewhere},
		"another street and city":          {[3]string{"1 Elm St", "Sonoma", "95476"}, [3]string{"1 OAK ST", "NAPA", "94574"}, differs},
	} {
		mine, theirs := newAddress(tt.mine[0], tt.mine[1], tt.mine[2]), newAddress(tt.theirs[0], tt.theirs[1], tt.theirs[2])
		if got := compareAddresses(&mine, &theirs); got.grade != tt.want {
			t.Errorf("%s: grade %d (%s), want %d: %+v, %+v", name, got.grade, got.reason, tt.want, mine, theirs)
		}
	}
}

func TestNamesAreCompared(t *testing.T) {
	for name, tt := range map[string]struct {
		mine, trade, holder string
		want                grade
	}{
		"as it is":                      {"Copper Kettle Tavern", "COPPER KETTLE TAVERN", "", same},
		"company and article":           {"The Copper Kettle Tavern, L.L.C.", "COPPER KETTLE TAVERN", "", same},
		"the holder":                    {"Blue Heron Foods LP", "COPPER KETTLE TAVERN", "BLUE HERON FOODS", same},
		"both":                          {"Blue Heron Inc dba Copper Kettle", "COPPER KETTLE", "X", same},
		"surname first":                 {"Cora Brandovar", "", "BRANDOVAR , CORA", same},
		"an apostrophe":                 {"OBriens Pub", "O'BRIEN'S PUB", "", same},
		"abbreviated":                   {"Copper Kettle Mkt", "COPPER KETTLE MARKET", "", same},
		"joined":                        {"CopperKettle", "COPPER KETTLE", "", same},
		"and":                           {"Copper & Kettle", "COPPER AND KETTLE", "", same},
		"a slip":                        {"Coper Kettle Tavern", "COPPER KETTLE TAVERN", "", nearly},
		"the trade left out":            {"Copper Kettle", "COPPER KETTLE TAVERN", "", akin},
		"another trade":                 {"Copper Kettle Grill", "COPPER KETTLE TAVERN", "", partly},
		"a store of a chain":            {"Copper Kettle #12", "COPPER KETTLE #21", "", partly},
		"a chain without its number":    {"Copper Kettle", "COPPER KETTLE #21", "", akin},
		"a holding beside it":           {"Copper Kettle Foods Holdings Group", "", "COPPER KETTLE FOODS LP", akin},
		"a word left out":               {"Copper Foods", "", "COPPER KETTLE FOODS LP", akin},
		"two slips":                     {"Coper Ketle Corner Tavern", "COPPER KETTLE CORNER TAVERN", "", akin},
		"a partnership in letters":      {"Copper Kettle Foods, L.P.", "", "COPPER KETTLE FOODS LP", same},
		"letters of the name":           {"C & L Market", "MARKET", "", differs},
		"the trade alone":               {"Tavern", "COPPER KETTLE TAVERN", "", differs},
		"another name":                  {"Blue Heron", "COPPER KETTLE", "", differs},
		"nothing but what a company is": {"The Company LLC", "COPPER KETTLE", "", unknown},
		"four names":                    {"Acme (Bolt) (Cord) (Copper Kettle)", "COPPER KETTLE", "", same},
		"a fifth name":                  {"Acme (Bolt) (Cord) (Dram) (Copper Kettle)", "COPPER KETTLE", "", differs},
		"nothing":                       {"", "COPPER KETTLE", "", unknown},
	} {
		got := compareNames(namesOf(tt.mine), map[string][][]string{"trade name": namesOf(tt.trade), "holder's name": namesOf(tt.holder)})
		if got.grade != tt.want {
			t.Errorf("%s: grade %d (%s), want %d", name, got.grade, got.reason, tt.want)
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("One", "St. Helena", "94559-1", "ACME d/b/a (O'Brien)")
	f.Add("37-12A # 4 STE", "", "9", "dba")
	f.Fuzz(func(t *testing.T, street, city, zip, name string) {
		a := newAddress(street, city, zip)
		if got := compareAddresses(&a, &a); a.house != "" && a.zip != "" && len(a.street) > 0 && got.grade != same {
			t.Errorf("%q %q %q is not its own address: %+v", street, city, zip, got)
		}
		names := namesOf(name)
		if got := compareNames(names, map[string][][]string{"trade name": names}); len(names) > 0 && got.grade != same {
			t.Errorf("%q is not its own name: %+v of %q", name, got, fold.String(name))
		}
	})
}
