package chars

import "strings"

// scriptCodes has the codes of scripts by ISO 15924, each with the name that
// Unicode gives it.
const scriptCodes = "" +
	"adlm Adlam aghb Caucasian_Albanian arab Arabic armi Imperial_Aramaic armn Armenian avst Avestan bali " +
	"Balinese bamu Bamum bass Bassa_Vah batk Batak beng Bengali bhks Bhaiksuki bopo Bopomofo brah Brahmi brai " +
	"Braille bugi Buginese buhd Buhid cakm Chakma cans Canadian_Aboriginal cari Carian cher Cherokee chrs " +
	"Chorasmian copt Coptic cpmn Cypro_Minoan cprt Cypriot cyrl Cyrillic deva Devanagari diak Dives_Akuru dogr " +
	"Dogra dsrt Deseret dupl Duployan egyp Egyptian_Hieroglyphs elba Elbasan elym Elymaic ethi Ethiopic geor " +
	"Georgian glag Glagolitic gong Gunjala_Gondi gonm Masaram_Gondi goth Gothic gran Grantha grek Greek gujr " +
	"Gujarati guru Gurmukhi hang Hangul hani Han hano Hanunoo hatr Hatran hebr Hebrew hira Hiragana hluw " +
	"Anatolian_Hieroglyphs hmng Pahawh_Hmong hmnp Nyiakeng_Puachue_Hmong hung Old_Hungarian ital Old_Italic java " +
	"Javanese kali Kayah_Li kana Katakana khar Kharoshthi khmr Khmer khoj Khojki kits Khitan_Small_Script knda " +
	"Kannada kthi Kaithi lana Tai_Tham laoo Lao latn Latin lepc Lepcha limb Limbu lina Linear_A linb Linear_B " +
	"lyci Lycian lydi Lydian mahj Mahajani maka Makasar mand Mandaic mani Manichaean marc Marchen medf " +
	"Medefaidrin mend Mende_Kikakui merc Meroitic_Cursive mero Meroitic_Hieroglyphs mlym Malayalam mong Mongolian " +
	"mroo Mro mtei Meetei_Mayek mult Multani mymr Myanmar nagm Nag_Mundari nand Nandinagari narb " +
	"Old_North_Arabian nbat Nabataean nkoo Nko nshu Nushu ogam Ogham olck Ol_Chiki orkh Old_Turkic orya Oriya " +
	"osge Osage osma Osmanya ougr Old_Uyghur palm Palmyrene pauc Pau_Cin_Hau perm Old_Permic phag Phags_Pa phli " +
	"Inscriptional_Pahlavi phlp Psalter_Pahlavi phnx Phoenician plrd Miao prti Inscriptional_Parthian qaac Coptic " +
	"qaai Inherited rjng Rejang rohg Hanifi_Rohingya runr Runic samr Samaritan sarb Old_South_Arabian saur " +
	"Saurashtra sgnw SignWriting shaw Shavian shrd Sharada sidd Siddham sind Khudawadi sinh Sinhala sogd Sogdian " +
	"sogo Old_Sogdian sora Sora_Sompeng soyo Soyombo sund Sundanese sylo Syloti_Nagri syrc Syriac tagb Tagbanwa " +
	"takr Takri tale Tai_Le talu New_Tai_Lue taml Tamil tang Tangut tavt Tai_Viet telu Telugu tfng Tifinagh tglg " +
	"Tagalog thaa Thaana tibt Tibetan tirh Tirhuta tnsa Tangsa ugar Ugaritic vaii Vai vith Vithkuqi wara " +
	"Warang_Citi wcho Wancho xpeo Old_Persian xsux Cuneiform yezi Yezidi yiii Yi zanb Zanabazar_Square zinh " +
	"Inherited zyyy Common"

// scriptOf returns the plain name of the script of a code, or "".
func scriptOf(code string) string {
	words := strings.Fields(scriptCodes)
	for i := 0; i < len(words); i += 2 {
		if words[i] == code {
			return plainName(words[i+1])
		}
	}
	return ""
}
