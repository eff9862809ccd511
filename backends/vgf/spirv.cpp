#include "backends/vgf/spirv.h"

#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace et::backends::vgf {
namespace {

using Words = std::span<const std::uint32_t>;

constexpr std::uint32_t spirvMagic = 0x07230203;
constexpr std::size_t headerWords = 5;
constexpr std::size_t maxShown = 8;  ///< elements of a constant
constexpr std::size_t maxRank = 16;
constexpr std::uint32_t bindingDecoration = 33;

/// Numbers of instructions that describe graphs.
enum Code : std::uint16_t {
    OpName = 5,
    OpExtInstImport = 11,
    OpExtInst = 12,
    OpTypeBool = 20,
    OpTypeInt = 21,
    OpTypeFloat = 22,
    OpTypeArray = 28,
    OpTypePointer = 32,
    OpConstantTrue = 41,
    OpConstantFalse = 42,
    OpConstant = 43,
    OpConstantComposite = 44,
    OpConstantNull = 46,
    OpVariable = 59,
    OpDecorate = 71,
    OpCompositeExtract = 81,
    OpTypeTensor = 4163,
    OpGraphConstant = 4181,
    OpGraphEntryPoint = 4182,
    OpGraph = 4183,
    OpGraphInput = 4184,
    OpGraphSetOutput = 4185,
    OpGraphEnd = 4186,
    OpTypeGraph = 4190,
    OpConstantCompositeReplicate = 4461,
};

std::uint16_t codeOf(Words instruction) {
    return static_cast<std::uint16_t>(instruction.front() & 0xFFFFU);
}

std::uint32_t wordAt(Words instruction, std::size_t position) {
    return position < instruction.size() ? instruction[position] : 0;
}

/// Text from a word on, up to its zero.
std::string_view textAt(Words instruction, std::size_t position) {
    const Words words = instruction.subspan(std::min(position, instruction.size()));
    const std::string_view text(reinterpret_cast<const char*>(words.data()), words.size_bytes());
    return text.substr(0, text.find('\0'));
}

/// Position of the word with the result; 0: this reader needs none.
std::size_t resultPosition(std::uint16_t code) {
    switch (code) {
        case OpExtInstImport:
        case OpTypeBool:
        case OpTypeInt:
        case OpTypeFloat:
        case OpTypeArray:
        case OpTypePointer:
        case OpTypeTensor:
        case OpTypeGraph:
            return 1;
        case OpExtInst:
        case OpConstantTrue:
        case OpConstantFalse:
        case OpConstant:
        case OpConstantComposite:
        case OpConstantNull:
        case OpConstantCompositeReplicate:
        case OpVariable:
        case OpCompositeExtract:
        case OpGraphConstant:
        case OpGraph:
        case OpGraphInput:
            return 2;
        default:
            return 0;
    }
}

}  // namespace

core::Result<SpirvModule> SpirvModule::read(core::Bytes code) {
    // Words of a flatbuffer are aligned in verified payloads, except in copies of unaligned sections.
    const bool isAligned = reinterpret_cast<std::uintptr_t>(code.data()) % alignof(std::uint32_t) == 0;
    const Words words(reinterpret_cast<const std::uint32_t*>(code.data()),
                      isAligned ? code.size() / sizeof(std::uint32_t) : 0);
    if (words.size() < headerWords || words.front() != spirvMagic) {
        return core::fail(core::ErrorCode::Format, "expected aligned code in SPIR-V",
                          {.file = {}, .field = "code", .offset = {}});
    }
    SpirvModule module;
    for (std::size_t at = headerWords; at < words.size();) {
        const std::size_t size = words[at] >> 16U;
        if (size == 0 || size > words.size() - at) {
            return core::fail(
                core::ErrorCode::Format,
                fmt::format("expected an instruction of 1 to {} words, got {}", words.size() - at, size),
                {.file = {}, .field = "code", .offset = at * sizeof(std::uint32_t)});
        }
        module.index(words.subspan(at, size));
        at += size;
    }
    return module;
}

void SpirvModule::index(Words instruction) {
    instructions.push_back(instruction);
    const std::uint16_t code = codeOf(instruction);
    if (const std::size_t place = resultPosition(code); place != 0) {
        definitions.try_emplace(wordAt(instruction, place), instruction);
    } else if (code == OpName) {
        names.try_emplace(wordAt(instruction, 1), textAt(instruction, 2));
    } else if (code == OpDecorate && wordAt(instruction, 2) == bindingDecoration) {
        bindings.try_emplace(wordAt(instruction, 1), wordAt(instruction, 3));
    }
}

Words SpirvModule::definition(SpirvId id) const {
    const auto found = definitions.find(id);
    static constexpr std::uint32_t none[1] = {0};
    return found == definitions.end() ? Words(none) : found->second;
}

std::vector<std::optional<std::uint32_t>> SpirvModule::bindingsOf(Words variables) const {
    std::vector<std::optional<std::uint32_t>> found;
    for (const SpirvId variable : variables) {
        const auto binding = bindings.find(variable);
        found.push_back(binding == bindings.end() ? std::nullopt : std::optional(binding->second));
    }
    return found;
}

std::optional<SpirvGraph> SpirvModule::graph(std::string_view entryPoint) const {
    Words entry;
    for (const Words each : instructions) {
        if (codeOf(each) == OpGraphEntryPoint && (entry.empty() || textAt(each, 2) == entryPoint)) {
            entry = each;
        }
    }
    const auto first = std::ranges::find_if(instructions, [&](Words each) {
        return codeOf(each) == OpGraph && (entry.empty() || wordAt(each, 2) == wordAt(entry, 1));
    });
    if (first == instructions.end()) {
        return std::nullopt;
    }
    SpirvGraph graph;
    const std::size_t nameWords = textAt(entry, 2).size() / sizeof(std::uint32_t) + 1;
    graph.bindings = bindingsOf(entry.subspan(std::min(2 + nameWords, entry.size())));
    graph.inputCount = wordAt(definition(wordAt(*first, 1)), 2);
    for (auto each = first + 1; each != instructions.end() && codeOf(*each) != OpGraphEnd; ++each) {
        const Words words = *each;
        const auto position = [&](std::size_t at) {
            const Words constant = definition(wordAt(words, at));
            return codeOf(constant) == OpConstant ? wordAt(constant, 3) : 0;
        };
        if (codeOf(words) == OpGraphInput) {
            graph.inputs.push_back({wordAt(words, 2), position(3)});
        } else if (codeOf(words) == OpGraphSetOutput) {
            graph.outputs.push_back({wordAt(words, 1), position(2)});
        } else if (codeOf(words) == OpExtInst) {
            const std::string_view set = textAt(definition(wordAt(words, 3)), 2);
            if (!set.starts_with("NonSemantic.")) {
                graph.operators.push_back(
                    {.result = wordAt(words, 2),
                     .set = set,
                     .number = wordAt(words, 4),
                     .operands = {words.begin() + std::min<std::ptrdiff_t>(5, words.size()), words.end()}});
            }
        }
    }
    return graph;
}

std::string SpirvModule::elementType(SpirvId type) const {
    const Words words = definition(type);
    switch (codeOf(words)) {
        case OpTypeBool:
            return "bool";
        case OpTypeInt:
            return fmt::format("int{}", wordAt(words, 2));
        case OpTypeFloat:
            // An encoding follows for types that are not IEEE's.
            return wordAt(words, 2) == 16 && words.size() > 3 ? "bfloat16"
                                                              : fmt::format("float{}", wordAt(words, 2));
        default:
            return {};
    }
}

std::vector<std::uint32_t> SpirvModule::integers(SpirvId composite) const {
    const Words words = definition(composite);
    std::vector<std::uint32_t> all;
    if (codeOf(words) == OpConstantComposite) {
        for (std::size_t i = 3; i < std::min(words.size(), 3 + maxRank); ++i) {
            all.push_back(wordAt(definition(words[i]), 3));
        }
    }
    return all;
}

std::string SpirvModule::tensorType(SpirvId value) const {
    const Words words = definition(value);
    const Words type = definition(resultPosition(codeOf(words)) == 2 ? wordAt(words, 1) : 0);
    if (codeOf(type) != OpTypeTensor) {
        return {};
    }
    const std::vector<std::uint32_t> shape = integers(wordAt(type, 4));
    const std::vector<std::int64_t> sizes(shape.begin(), shape.end());
    return fmt::format("{} {}", elementType(wordAt(type, 2)), core::sizesText(sizes));
}

std::optional<std::uint32_t> SpirvModule::graphConstant(SpirvId value) const {
    const Words words = definition(value);
    return codeOf(words) == OpGraphConstant ? std::optional(wordAt(words, 3)) : std::nullopt;
}

std::string SpirvModule::scalarText(SpirvId value) const {
    const Words words = definition(value);
    const Words type = definition(wordAt(words, 1));
    switch (codeOf(words)) {
        case OpConstantTrue:
            return "true";
        case OpConstantFalse:
            return "false";
        case OpConstantNull:
            return "0";
        case OpConstant:
            break;
        default:
            return {};
    }
    const std::uint64_t bits = std::uint64_t{wordAt(words, 4)} << 32U | wordAt(words, 3);
    const std::uint32_t width = wordAt(type, 2);
    if (codeOf(type) == OpTypeFloat && width == 32) {
        return fmt::format("{}", std::bit_cast<float>(wordAt(words, 3)));
    }
    // SPIR-V has no signs in tensors of integers: numbers are shown as signed, as TOSA uses them.
    if (codeOf(type) == OpTypeInt && width > 0 && width <= 64) {
        return fmt::to_string(static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width));
    }
    return fmt::format("{:#x}", bits);
}

std::string SpirvModule::constantText(SpirvId value) const {
    const Words words = definition(value);
    const bool isRepeated = codeOf(words) == OpConstantCompositeReplicate;
    if (codeOf(words) != OpConstantComposite && !isRepeated) {
        return scalarText(value);
    }
    std::string text;
    const Words elements = words.subspan(std::min<std::size_t>(3, words.size()));
    for (const SpirvId element : elements.first(std::min(maxShown, elements.size()))) {
        text += (text.empty() ? "" : ", ") + scalarText(element);
    }
    return fmt::format("[{}{}]", text, isRepeated || elements.size() > maxShown ? ", …" : "");
}

std::string_view SpirvModule::nameOf(SpirvId value) const {
    const auto found = names.find(value);
    return found == names.end() ? std::string_view() : found->second;
}

}  // namespace et::backends::vgf
