#include "tests/support/vgf_payload.h"

#include "backends/vgf/schema/tables_generated.h"

#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace et::test {
namespace {

namespace vgf = backends::vgf::schema;

constexpr std::size_t vgfHeader = 128;
constexpr std::uint32_t tensorCode = 1000460000;
constexpr std::uint32_t noDescriptor = 0xFFFFFFFF;
constexpr std::uint32_t floatFormat = 100;

class SpirvWriter {
  public:
    void add(std::uint32_t code, std::initializer_list<std::uint32_t> operands, std::string_view text = {},
             std::initializer_list<std::uint32_t> behind = {}) {
        const std::size_t start = words.size();
        words.push_back(code);
        words.insert(words.end(), operands);
        if (!text.empty()) {
            std::vector<std::uint32_t> packed(text.size() / 4 + 1);
            std::memcpy(packed.data(), text.data(), text.size());
            words.insert(words.end(), packed.begin(), packed.end());
        }
        words.insert(words.end(), behind);
        words[start] |= static_cast<std::uint32_t>(words.size() - start) << 16U;
    }

    std::vector<std::uint32_t> words{0x07230203, 0x00010600, 0, 100, 0};
};

/// Ids: 1 TOSA, 2 float, 3 int, 4 to 6 the numbers 0 to 2, 9 the type, 12 and 13 the ports, 14 the constant.
std::vector<std::uint32_t> graphCode() {
    SpirvWriter code;
    code.add(11, {1}, "TOSA.001000.1");
    code.add(5, {22}, "sum");
    code.add(71, {12, 33, 0});
    code.add(71, {13, 33, 1});
    code.add(22, {2, 32});
    code.add(21, {3, 32, 0});
    code.add(43, {3, 4, 0});
    code.add(43, {3, 5, 1});
    code.add(43, {3, 6, 2});
    code.add(28, {7, 3, 6});
    code.add(44, {7, 8, 5, 6});
    code.add(4163, {9, 2, 6, 8});
    code.add(4190, {10, 1, 9, 9});
    code.add(32, {11, 0, 9});
    code.add(59, {11, 12, 0});
    code.add(59, {11, 13, 0});
    code.add(4181, {9, 14, 0});
    code.add(43, {2, 15, std::bit_cast<std::uint32_t>(0.5F)});
    code.add(43, {2, 16, std::bit_cast<std::uint32_t>(6.0F)});
    code.add(4182, {20}, "main", {12, 13});
    code.add(4183, {10, 20});
    code.add(4184, {9, 21, 4});
    code.add(12, {9, 22, 1, 14, 21, 14});
    code.add(12, {9, 23, 1, 10, 15, 16, 5, 22});
    code.add(4185, {23, 4});
    code.add(4186, {});
    return code.words;
}

std::vector<std::byte> finished(flatbuffers::FlatBufferBuilder& builder) {
    const auto raw = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return {raw.begin(), raw.end()};
}

std::vector<std::byte> moduleSection(const VgfChanges& changes) {
    flatbuffers::FlatBufferBuilder builder;
    std::vector<std::uint32_t> words = graphCode();
    if (changes.instructionWords != 0) {
        words[5] = changes.instructionWords << 16U | 11U;
    }
    const auto graph = vgf::CreateSpirvCodeDirect(builder, &words);
    const auto shader = vgf::CreateGlslCodeDirect(builder, "void main() {}");
    const std::vector modules{
        vgf::CreateModuleDirect(builder, 1, "net", "main", vgf::Code::SpirvCode, graph.Union()),
        vgf::CreateModuleDirect(builder, 0, "post", "main", vgf::Code::GlslCode, shader.Union())};
    builder.Finish(vgf::CreateModulesDirect(builder, &modules));
    return finished(builder);
}

std::vector<std::byte> sequenceSection(const VgfChanges& changes) {
    flatbuffers::FlatBufferBuilder builder;
    const auto list = [&](std::uint32_t binding, std::uint32_t resource) {
        return std::vector{vgf::CreateBinding(builder, binding, resource)};
    };
    const std::vector<std::uint32_t> constants{0};
    const std::vector<std::uint32_t> dispatch{2, 1, 1};
    const auto in = list(0, changes.inputResource);
    const auto clamped = list(1, 1);
    const auto from = list(0, 1);
    const auto out = list(1, 2);
    const std::vector segments{
        vgf::CreateSegmentDirect(builder, 1, "first", changes.module, nullptr, &in, &clamped, &constants),
        vgf::CreateSegmentDirect(builder, 0, "second", 1, nullptr, &from, &out, nullptr, &dispatch)};
    const auto inputs = list(0, 0);
    const auto outputs = list(0, 2);
    const std::vector inputNames{builder.CreateString("x")};
    const std::vector outputNames{builder.CreateString("y")};
    builder.Finish(
        vgf::CreateSequenceDirect(builder, &segments, &inputs, &outputs, &inputNames, &outputNames));
    return finished(builder);
}

std::vector<std::byte> resourceSection() {
    flatbuffers::FlatBufferBuilder builder;
    const std::vector<std::int64_t> sizes{1, 2};
    std::vector<flatbuffers::Offset<vgf::Resource>> resources;
    for (const std::uint8_t category : {0, 2, 1, 3}) {
        const auto shape = vgf::CreateShapeDirect(builder, &sizes);
        resources.push_back(vgf::CreateResource(builder, category == 3 ? noDescriptor : tensorCode,
                                                floatFormat, category, shape));
    }
    builder.Finish(vgf::CreateResourcesDirect(builder, &resources));
    return finished(builder);
}

template <class T>
void addNumber(std::vector<std::byte>& to, T value) {
    const auto raw = std::as_bytes(std::span(&value, 1));
    to.insert(to.end(), raw.begin(), raw.end());
}

std::vector<std::byte> constantSection(const VgfChanges& changes) {
    constexpr std::array<float, 2> elements{0.25F, -1};
    if (changes.hasConstantTable) {
        flatbuffers::FlatBufferBuilder builder;
        const auto raw = std::as_bytes(std::span(elements));
        builder.ForceVectorAlignment(raw.size(), 1, 8);
        const auto data = builder.CreateVector(reinterpret_cast<const std::uint8_t*>(raw.data()), raw.size());
        const std::vector constants{vgf::CreateConstant(builder, 3, -1, data)};
        builder.Finish(vgf::CreateConstantsDirect(builder, &constants));
        return finished(builder);
    }
    std::vector<std::byte> section;
    for (const char letter : std::string_view("CONST00\0", 8)) {
        addNumber(section, letter);
    }
    addNumber(section, std::uint64_t{1});
    addNumber(section, std::uint32_t{3});
    addNumber(section, std::int32_t{-1});
    addNumber(section, changes.constantSize);
    addNumber(section, std::uint64_t{0});
    for (const float element : elements) {
        addNumber(section, element);
    }
    return section;
}

}  // namespace

std::vector<std::byte> vgfPayload(const VgfChanges& changes) {
    const std::array sections{moduleSection(changes), sequenceSection(changes), resourceSection(),
                              constantSection(changes)};
    std::vector<std::byte> payload;
    for (const char letter : std::string_view("VGF1")) {
        addNumber(payload, letter);
    }
    addNumber(payload, std::uint32_t{300});
    for (const std::uint8_t number : {std::uint8_t{0}, changes.minor, std::uint8_t{3}, std::uint8_t{0}}) {
        addNumber(payload, number);
    }
    addNumber(payload, std::uint32_t{0});
    std::uint64_t offset = vgfHeader + (changes.isUnaligned ? 4 : 0);
    for (const auto& section : sections) {
        addNumber(payload, offset);
        addNumber(payload, std::uint64_t{section.size()});
        offset += (section.size() + 7) / 8 * 8;
    }
    payload.resize(vgfHeader + (changes.isUnaligned ? 4 : 0));
    for (const auto& section : sections) {
        payload.insert(payload.end(), section.begin(), section.end());
        payload.resize(payload.size() + (8 - section.size() % 8) % 8);
    }
    return payload;
}

}  // namespace et::test
