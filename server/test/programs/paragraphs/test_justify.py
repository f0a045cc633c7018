from wrap import justify


def test_no_gap():
    assert justify("word", 9) == "word"


def test_even():
    assert justify("a b c", 9) == "a   b   c"


def test_uneven():
    assert justify("a b c", 8) == "a   b  c"
