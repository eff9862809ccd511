et_add_fuzzer(media SOURCE media_fuzz.cpp DEPENDS et_inspector_media)
