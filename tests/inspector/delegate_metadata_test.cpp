#include "inspector/join/delegate_metadata.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace et::inspector {
namespace {

/// Decodes metadata that start with a certain letter.
class LetterDecoder final : public core::MetadataDecoder {
  public:
    LetterDecoder(std::string backendName, char first) : name(std::move(backendName)), letter(first) {}
    [[nodiscard]] std::string_view backend() const override { return name; }
    [[nodiscard]] core::Result<std::string> decode(core::Bytes metadata,
                                                   std::string_view event) const override {
        if (static_cast<char>(metadata.front()) != letter) {
            return core::fail(core::ErrorCode::Format, "another letter");
        }
        return std::string(event) + " read by " + letter + "\n";
    }

  private:
    std::string name;
    char letter;
};

core::Bytes metadataBytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

TEST(DelegateMetadata, HexReportsOmittedBytes) {
    EXPECT_EQ(metadataHex({}), "");
    EXPECT_EQ(metadataHex(metadataBytes("\x01\xFFz")), "01 ff 7a");
    const std::string large(5000, 'a');
    const std::string hex = metadataHex(metadataBytes(large));
    EXPECT_TRUE(hex.ends_with("61 … 904 more bytes")) << hex.substr(hex.size() - 30);
}

TEST(DelegateMetadata, DecodersAreAskedInOrderAndByBackend) {
    const MetadataDecoders decoders{std::make_shared<LetterDecoder>("VulkanBackend", 'v'),
                                    std::make_shared<LetterDecoder>("", 'x')};
    EXPECT_EQ(decodedMetadata(decoders, "VulkanBackend", "conv", metadataBytes("v1")), "conv read by v\\x0a");
    EXPECT_EQ(decodedMetadata(decoders, "VulkanBackend", "conv", metadataBytes("x1")), "conv read by x\\x0a");
    EXPECT_EQ(decodedMetadata(decoders, "", "conv", metadataBytes("v1")), std::nullopt)
        << "not known to be Vulkan's";
    EXPECT_EQ(decodedMetadata(decoders, "MPSBackend", "conv", metadataBytes("x1")), "conv read by x\\x0a");
    EXPECT_EQ(decodedMetadata(decoders, "MPSBackend", "conv", {}), std::nullopt);
}

}  // namespace
}  // namespace et::inspector
