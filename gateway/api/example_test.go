package api_test

import (
	"fmt"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
)

// The table tells of each endpoint that is a tool what a client, an agent and a bill need to know.
func ExampleProductOf() {
	for _, e := range api.ProductOf(contracts.LTL).Tools() {
		fmt.Println(e.Path, e.Tool.Name, e.Billable)
		for _, p := range e.Parameters {
			fmt.Println(" ", p.In(), p.Name)
		}
	}
	// Output:
	// /v1/ltl/carriers list_carriers false
	//   query format
	//   query bom
	// /v1/ltl/fuel-surcharge get_fuel_surcharge true
	//   query carriers
	//   query weeks
	//   query as_of
	//   query from
	//   query to
	//   query known_at
	//   query announced
	//   query format
	//   query bom
	// /v1/ltl/audit audit_fuel_surcharge false
	//   query tolerance_points
	//   query tolerance_amount
	//   query dry_run
	//   query contract
	//   query keep
	//   query columns
	//   query date_form
	//   query percent_form
	//   query bom
	//   query totals
	// /v1/ltl/fuel-tables get_fuel_table true
	//   query carrier
	//   query as_of
	//   query format
	//   query bom
	// /v1/ltl/diesel get_diesel_prices true
	//   query from
	//   query to
	//   query format
	//   query bom
	// /v1/ltl/accessorials get_accessorials false
	//   query carrier
	// /v1/changes list_changes false
	//   query since
	//   query product
	//   query source
	//   query type
	//   query portfolio
	//   query limit
	//   query wait
	//   query format
	//   query bom
}
