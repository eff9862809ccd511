#include "inspector/format/checksum.h"

#include <gtest/gtest.h>

#include <string>

namespace et::inspector::format {
namespace {

// Test vectors of FIPS 180-4 (NIST).
TEST(Sha256, OfKnownTexts) {
    EXPECT_EQ(Sha256().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(Sha256().add(std::string_view("abc")).hex(),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(
        Sha256().add(std::string_view("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).hex(),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(Sha256().add(std::string(1'000'000, 'a')).hex(),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnTheParts) {
    const std::string text(300, 'x');
    const std::string whole = Sha256().add(text).hex();
    for (std::size_t part = 1; part < 130; ++part) {
        Sha256 sum;
        for (std::size_t at = 0; at < text.size(); at += part) {
            sum.add(std::string_view(text).substr(at, part));
        }
        EXPECT_EQ(sum.hex(), whole) << part;
    }
}

}  // namespace
}  // namespace et::inspector::format
