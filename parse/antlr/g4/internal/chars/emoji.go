package chars

import (
	"strconv"
	"strings"
)

// emoji has the properties of emoji as ANTLR knows them, by plain name: hexadecimal
// code points and ranges of them. The Go library does not have these.
var emoji = map[string]string{
	"emoji": "23 2a 30-39 a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa " +
		"24c2 25aa-25ab 25b6 25c0 25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a " +
		"262e-262f 2638-263a 2640 2642 2648-2653 265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 2699 " +
		"269b-269c 26a0-26a1 26a7 26aa-26ab 26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf 26d1 26d3-26d4 " +
		"26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705 2708-270d 270f 2712 2714 2716 271d 2721 2728 2733-2734 " +
		"2744 2747 274c 274e 2753-2755 2757 2763-2764 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c " +
		"2b50 2b55 3030 303d 3297 3299 1f004 1f0cf 1f170-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1e6-1f1ff " +
		"1f201-1f202 1f21a 1f22f 1f232-1f23a 1f250-1f251 1f300-1f321 1f324-1f393 1f396-1f397 1f399-1f39b " +
		"1f39e-1f3f0 1f3f3-1f3f5 1f3f7-1f4fd 1f4ff-1f53d 1f549-1f54e 1f550-1f567 1f56f-1f570 1f573-1f57a " +
		"1f587 1f58a-1f58d 1f590 1f595-1f596 1f5a4-1f5a5 1f5a8 1f5b1-1f5b2 1f5bc 1f5c2-1f5c4 1f5d1-1f5d3 " +
		"1f5dc-1f5de 1f5e1 1f5e3 1f5e8 1f5ef 1f5f3 1f5fa-1f64f 1f680-1f6c5 1f6cb-1f6d2 1f6d5-1f6d7 " +
		"1f6dc-1f6e5 1f6e9 1f6eb-1f6ec 1f6f0 1f6f3-1f6fc 1f7e0-1f7eb 1f7f0 1f90c-1f93a 1f93c-1f945 " +
		"1f947-1f9ff 1fa70-1fa7c 1fa80-1fa88 1fa90-1fabd 1fabf-1fac5 1face-1fadb 1fae0-1fae8 1faf0-1faf8",
	"emojipresentation": "" +
		"231a-231b 23e9-23ec 23f0 23f3 25fd-25fe 2614-2615 2648-2653 267f 2693 26a1 26aa-26ab 26bd-26be " +
		"26c4-26c5 26ce 26d4 26ea 26f2-26f3 26f5 26fa 26fd 2705 270a-270b 2728 274c 274e 2753-2755 2757 " +
		"2795-2797 27b0 27bf 2b1b-2b1c 2b50 2b55 1f004 1f0cf 1f18e 1f191-1f19a 1f1e6-1f1ff 1f201 1f21a 1f22f " +
		"1f232-1f236 1f238-1f23a 1f250-1f251 1f300-1f320 1f32d-1f335 1f337-1f37c 1f37e-1f393 1f3a0-1f3ca " +
		"1f3cf-1f3d3 1f3e0-1f3f0 1f3f4 1f3f8-1f43e 1f440 1f442-1f4fc 1f4ff-1f53d 1f54b-1f54e 1f550-1f567 " +
		"1f57a 1f595-1f596 1f5a4 1f5fb-1f64f 1f680-1f6c5 1f6cc 1f6d0-1f6d2 1f6d5-1f6d7 1f6dc-1f6df " +
		"1f6eb-1f6ec 1f6f4-1f6fc 1f7e0-1f7eb 1f7f0 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa70-1fa7c " +
		"1fa80-1fa88 1fa90-1fabd 1fabf-1fac5 1face-1fadb 1fae0-1fae8 1faf0-1faf8",
	"emojimodifier": "1f3fb-1f3ff",
	"emojimodifierbase": "" +
		"261d 26f9 270a-270d 1f385 1f3c2-1f3c4 1f3c7 1f3ca-1f3cc 1f442-1f443 1f446-1f450 1f466-1f478 1f47c " +
		"1f481-1f483 1f485-1f487 1f48f 1f491 1f4aa 1f574-1f575 1f57a 1f590 1f595-1f596 1f645-1f647 " +
		"1f64b-1f64f 1f6a3 1f6b4-1f6b6 1f6c0 1f6cc 1f90c 1f90f 1f918-1f91f 1f926 1f930-1f939 1f93c-1f93e " +
		"1f977 1f9b5-1f9b6 1f9b8-1f9b9 1f9bb 1f9cd-1f9cf 1f9d1-1f9dd 1fac3-1fac5 1faf0-1faf8",
	"emojicomponent": "23 2a 30-39 200d 20e3 fe0f 1f1e6-1f1ff 1f3fb-1f3ff 1f9b0-1f9b3 e0020-e007f",
	"extendedpictographic": "" +
		"2388 2605 2607-260d 260f-2610 2612 2616-2617 2619-261c 261e-261f 2621 2624-2625 2627-2629 262b-262d " +
		"2630-2637 263b-2647 2654-265f 2661-2662 2664 2667 2669-267a 267c-267e 2680-2691 2695 2698 269a " +
		"269d-269f 26a2-26a9 26ac-26af 26b2-26bc 26bf-26c3 26c6-26c7 26c9-26cd 26d0 26d2 26d5-26e8 26eb-26ef " +
		"26f6 26fb-26fc 26fe-2701 2703-2704 270e 2710-2711 2765-2767 1f000-1f003 1f005-1f0ff 1f10d-1f10f " +
		"1f12f 1f16c-1f16f 1f1ad-1f1e5 1f203-1f20f 1f23c-1f23f 1f249-1f24f 1f252-1f2ff 1f322-1f323 " +
		"1f394-1f395 1f398 1f39c-1f39d 1f3f1-1f3f2 1f3f6 1f4fe 1f53e-1f548 1f54f 1f568-1f56e 1f571-1f572 " +
		"1f57b-1f586 1f588-1f589 1f58e-1f58f 1f591-1f594 1f597-1f5a3 1f5a6-1f5a7 1f5a9-1f5b0 1f5b3-1f5bb " +
		"1f5bd-1f5c1 1f5c5-1f5d0 1f5d4-1f5db 1f5df-1f5e0 1f5e2 1f5e4-1f5e7 1f5e9-1f5ee 1f5f0-1f5f2 " +
		"1f5f4-1f5f9 1f6c6-1f6ca 1f6d3-1f6df 1f6e6-1f6e8 1f6ea 1f6ed-1f6ef 1f6f1-1f6f2 1f6f7-1f6ff " +
		"1f774-1f77f 1f7d5-1f7ff 1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f90f 1f91f " +
		"1f928-1f92f 1f931-1f932 1f93f 1f94c-1f94f 1f95f-1f97f 1f992-1f9bf 1f9c1-1fffd",
	"emojirk": "23 2a 30-39 a9 ae 2122 3030 303d 1f1e6-1f1ff",
}

// emojiProperty returns the characters of a property of emoji; nil if there is
// none of this name.
func emojiProperty(name string) []Range {
	switch name {
	case "emojinrk":
		return without(emojiProperty("emoji"), emojiProperty("emojirk"))
	case "emojipresentation=emojidefault":
		name = "emojipresentation"
	case "emojipresentation=textdefault":
		return without(emojiProperty("emoji"), emojiProperty("emojipresentation"))
	case "emojipresentation=text":
		return Complement(emojiProperty("emoji"))
	}
	var set []Range
	for _, word := range strings.Fields(emoji[name]) {
		from, to, isRange := strings.Cut(word, "-")
		if !isRange {
			to = from
		}
		a, _ := strconv.ParseInt(from, 16, 32)
		b, _ := strconv.ParseInt(to, 16, 32)
		set = append(set, Range{int(a), int(b)})
	}
	return set
}
