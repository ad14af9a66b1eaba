package meaning

import (
	"strings"

	"assay.dev/ltl-worker/surcharge/token"
)

// Pages for shippers on both sides of a border repeat their headings in Spanish or French: "Fuel surcharge / Recargo por combustible". The
// other language says the same once more, so its words change nothing where English ones stand beside them. The dictionary is closed: it
// has the words for what our tables show, and none for places, services or units.

// translations are Spanish and French words of the trade.
var translations = indexTranslations(`
	recargo recargos por combustible combustibles fecha fechas de vigencia vigente efectiva efectivo desde promedio nacional precio precios semana
	semanas semanal del el la los las en tarifa tarifas diésel porcentaje porcentajes flete envío envíos envio envios dentro estados unidos ee uu
	historial actual se muestran como mes día año formato
	supplément suppléments supplement carburant frais date entrée entree vigueur moyenne nationale taux semaine semaines du le les des prix d l
	pourcentage envoi envois expédition expéditions aux états etats unis dans historique mois jour année format`)

func indexTranslations(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}

// IsTranslation tells whether a word in lower case is one of the trade in Spanish or French.
func IsTranslation(word string) bool { return translations[word] }

// english are words of the trade by which a text is known to be in English too. "Date" is none of them: it is French as well.
var english = indexTranslations(`fuel surcharge effective average ltl week price shipments rate month`)

// IsEnglish tells whether a text holds words of the trade in English.
func IsEnglish(text string) bool {
	var buf [48]token.Token
	return isEnglish(token.SplitLine(buf[:0], text))
}

func isEnglish(t []token.Token) bool {
	for i := range t {
		if english[t[i].Text] {
			return true
		}
	}
	return false
}
