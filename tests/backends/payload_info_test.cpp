#include "backends/payload_info.h"

#include "backends/known_backends.h"

#include <gmock/gmock.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::IsEmpty;

core::Bytes bytesOf(const std::string& text) {
    return std::as_bytes(std::span(text));
}

/// A flatbuffer string: length, characters, zero.
std::string flatString(const std::string& text) {
    return std::string(1, static_cast<char>(text.size())) + "\0\0\0"s + text + "\0"s;
}

TEST(PayloadFormatTest, HeadersOfKnownCompilersAreNamedWithTheFlatbufferBehindThem) {
    const std::string header = "\0\0\0\0VH00\x1e\0\x20\0\0\0"s + std::string(18, '\0');
    const std::string flatbuffer = "\x1c\0\0\0VK00"s + std::string(24, '\0');
    const PayloadFormat vulkan = payloadFormat(bytesOf(header + flatbuffer));
    EXPECT_EQ(vulkan.mark, "VH00");
    EXPECT_EQ(vulkan.text, "Vulkan header, flatbuffer VK00");
    EXPECT_EQ(payloadFormat(bytesOf(header)).text, "Vulkan header") << "the flatbuffer is cut off";
}

TEST(PayloadFormatTest, AFlatbufferIsKnownByItsIdentifier) {
    EXPECT_EQ(payloadFormat(bytesOf("\x08\0\0\0TOSA\0\0\0\0"s)).text, "TOSA flatbuffer");
    EXPECT_EQ(payloadFormat(bytesOf("\x08\0\0\0QX12\0\0\0\0"s)).text, "flatbuffer QX12");
    EXPECT_EQ(payloadFormat(bytesOf("\x7f\0\0\0QX12\0\0\0\0"s)).text, "unknown") << "the root is outside";
}

TEST(PayloadFormatTest, OtherPayloadsAreTextOrUnknown) {
    EXPECT_EQ(payloadFormat(bytesOf("graph():\n    %x"s)).text, "text");
    EXPECT_EQ(payloadFormat(bytesOf("\x01\x02\x03"s)).text, "unknown");
    EXPECT_EQ(payloadFormat({}).text, "empty");
    const PayloadFormat qnn = payloadFormat(bytesOf("\xCD\xAB\x78\x56\x01"s));
    EXPECT_EQ(qnn.text, "QNN context binary");
    EXPECT_EQ(qnn.mark, "") << "a number is no text";
    EXPECT_EQ(payloadFormat(bytesOf("vela_bin_stream\0\x01"s)).mark, "vela_bin_stream");
}

TEST(AsTextTest, OnlyPrintableBytesAreText) {
    EXPECT_EQ(asText(bytesOf("TOSA-1.0+FP")), "TOSA-1.0+FP");
    EXPECT_EQ(asText(bytesOf("False\0"s)), "False");
    EXPECT_EQ(asText(bytesOf("A\0\0\0"s)), std::nullopt) << "a number that looks like a letter";
    EXPECT_EQ(asText(bytesOf("\0"s)), std::nullopt);
    EXPECT_EQ(asText({}), "");
    EXPECT_EQ(hexText(bytesOf("\x01\xff\x10"s), 2), "01ff…");
    EXPECT_EQ(hexText(bytesOf("\x01\xff"s), 2), "01ff");
}

TEST(NamesInTest, FindsNamesStoredAsStrings) {
    const std::vector<std::string_view> names{"weight", "bias", "weights", "", "scale"};
    const std::string payload = "xx" + flatString("bias") + "weight" + flatString("weight");
    EXPECT_THAT(namesIn(bytesOf(payload), names), ElementsAre(0, 1));
    EXPECT_THAT(namesIn(bytesOf("weight\0bias"s), names), IsEmpty()) << "no length in front";
    const std::string cut = payload.substr(0, payload.size() - 1);
    EXPECT_THAT(namesIn(bytesOf(cut), names), ElementsAre(1)) << "no zero behind";
    EXPECT_THAT(namesIn({}, names), IsEmpty());
    EXPECT_THAT(namesIn(bytesOf(payload), {}), IsEmpty());
}

TEST(KnownBackendsTest, DevicesAreFoundById) {
    EXPECT_EQ(deviceOf("VulkanBackend"), "GPU, through Vulkan");
    EXPECT_EQ(deviceOf("XnnpackBackend"), "CPU, through XNNPACK");
    EXPECT_TRUE(deviceOf("MyBackend").empty());
}

}  // namespace
}  // namespace et::backends
