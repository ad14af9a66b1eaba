package state

// Illinois reads the Liquor Control Commission.
func Illinois(d Deps) Recipe { return Recipe{} }
