package openapi

import "assay.dev/contracts"

// statusOf is the HTTP status of each component response.
var statusOf = map[string]string{
	"Unauthorized": "401", "ProductNotEnabled": "403", "NotFound": "404", "ComingSoon": "404", "BodyTooLarge": "413",
	"URLTooLong": "414", "Invalid": "422", "RateLimited": "429", "HeadersTooLarge": "431", "Internal": "500",
	"Unavailable": "503", "NoCarrierAvailable": "503",
}

// responses are the error answers (contract §7).
func responses(s *schemas) object {
	s.components["Error"] = object{
		"type": "object", "required": []string{"detail"},
		"properties": object{"detail": object{
			"type": "object", "required": []string{"error", "message"},
			"properties": object{"error": ref[contracts.Code](s), "message": object{"type": "string"}},
		}},
	}
	s.components["ValidationError"] = object{
		"type": "object", "required": []string{"detail"},
		"properties": object{"detail": object{"type": "array", "minItems": 1, "items": ref[contracts.Violation](s)}},
	}
	coded := object{"$ref": "#/components/schemas/Error"}
	return object{
		"Unauthorized":       failure("The key is missing or not valid.", coded),
		"ProductNotEnabled":  failure("The key is not subscribed to the product.", coded),
		"NotFound":           failure("The carrier, state or license is not supported or does not exist.", coded),
		"ComingSoon":         failure("COMING_SOON: not available yet.", coded),
		"BodyTooLarge":       failure("The body is too large.", coded),
		"URLTooLong":         failure("The URL is too long.", coded),
		"HeadersTooLarge":    failure("The headers are too large.", coded),
		"Invalid":            failure("A parameter is missing, unknown or not valid.", object{"$ref": "#/components/schemas/ValidationError"}),
		"RateLimited":        failure("The limit of the key is used up; without a valid key, that of the address.", coded, "Retry-After"),
		"Internal":           failure("A failure on our side.", coded),
		"Unavailable":        failure("The source cannot be read now.", coded, "Retry-After"),
		"NoCarrierAvailable": failure("None of the carriers can be read now.", object{"anyOf": []object{coded, noneAnswered(s)}}, "Retry-After"),
	}
}

// noneAnswered is the error and the answer without results in one.
func noneAnswered(s *schemas) object {
	return object{"allOf": []object{{"$ref": "#/components/schemas/Error"}, ref[contracts.Surcharges](s)}}
}

func failure(description string, schema object, further ...string) object {
	return object{
		"description": description,
		"headers":     headerRefs(append(further, "X-Request-ID", "traceresponse", "Cache-Control")...),
		"content":     object{"application/json": object{"schema": schema}},
	}
}
