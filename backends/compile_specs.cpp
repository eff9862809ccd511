#include "backends/compile_specs.h"

#include "backends/compile_spec_rules.h"
#include "backends/payload_info.h"
#include "backends/qnn/compile_specs.h"
#include "backends/spec_flatbuffer.h"
#include "backends/spec_tables.h"
#include "backends/spec_text.h"
#include "runtime/archive/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace et::backends {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t maxSpecSettings = 1024;
constexpr std::size_t maxSpecNesting = 16;

/// The rules of a backend. XnnpackBackend, MLXBackend and ExecutorBackend have no compile specs.
struct BackendRules {
    std::string_view backend;
    std::span<const SpecRule> (*rules)();
};
constexpr std::array backendRules = std::to_array<BackendRules>({
    {"BackendWithCompilerDemo", demoSpecs},
    {"CoreMLBackend", coremlSpecs},
    {"CudaBackend", aotiSpecs},
    {"EnnBackend", ennSpecs},
    {"EthosUBackend", armSpecs},
    {"FirstBackendWithPreprocessAll", demoSpecs},
    {"MPSBackend", mpsSpecs},
    {"MetalBackend", aotiSpecs},
    {"NativeBackend", nativeSpecs},
    {"NeuropilotBackend", neuropilotSpecs},
    {"NeutronBackend", neutronSpecs},
    {"OpenvinoBackend", openvinoSpecs},
    {"QnnBackend", qnn::specs},
    {"SecondBackendWithPreprocessAll", demoSpecs},
    {"TOSABackend", armSpecs},
    {"TensorRTBackend", tensorrtSpecs},
    {"VgfBackend", armSpecs},
    {"VulkanBackend", vulkanSpecs},
});

const SpecRule* ruleOf(std::string_view backend, std::string_view key) {
    const auto of = std::ranges::find(backendRules, backend, &BackendRules::backend);
    for (const std::span<const SpecRule> rules :
         {sharedSpecs(), of == backendRules.end() ? std::span<const SpecRule>() : of->rules()}) {
        const auto found = std::ranges::find_if(
            rules, [&](const SpecRule& rule) { return rule.key.empty() || rule.key == key; });
        if (found != rules.end()) {
            return &*found;
        }
    }
    return nullptr;
}

std::unexpected<core::Error> unexpectedValue(std::string_view expected, core::Bytes got) {
    constexpr std::size_t shown = 16;
    return fail(ErrorCode::Format,
                fmt::format("expected {}, got {} bytes: {}", expected, got.size(), hexText(got, shown)));
}

/// Adds the meaning of a known word.
std::string explained(std::string_view text, const SpecRule& rule) {
    const auto word = std::ranges::find(rule.words, text, &SpecWord::text);
    return word == rule.words.end() ? std::string(text) : fmt::format("{} ({})", text, word->meaning);
}

Result<SpecValue> decodeText(core::Bytes bytes, const SpecRule& rule) {
    const auto text = asText(bytes);
    return text ? Result<SpecValue>(SpecValue{.text = explained(*text, rule)})
                : unexpectedValue("text", bytes);
}

Result<SpecValue> decodeFlag(core::Bytes bytes) {
    const auto flag = bytes.size() == 1 ? std::to_integer<std::uint8_t>(bytes[0]) : std::uint8_t{2};
    if (flag > 1) {
        return unexpectedValue("one byte, 0 or 1", bytes);
    }
    return SpecValue{.text = flagText(flag)};
}

Result<SpecValue> decodeTextFlag(core::Bytes bytes) {
    constexpr std::array<std::string_view, 4> yes{"1", "on", "true", "yes"};
    constexpr std::array<std::string_view, 4> no{"0", "off", "false", "no"};
    std::string text(asText(bytes).value_or(""));
    std::ranges::transform(text, text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    if (!std::ranges::contains(yes, text) && !std::ranges::contains(no, text)) {
        return unexpectedValue("\"true\" or \"false\"", bytes);
    }
    return SpecValue{.text = std::ranges::contains(yes, text) ? "true" : "false"};
}

Result<SpecValue> decodeInteger(core::Bytes bytes, const SpecRule& rule) {
    std::uint64_t number = 0;
    const bool fits = rule.bytes == 0 ? std::has_single_bit(bytes.size()) && bytes.size() <= sizeof number
                                      : bytes.size() == rule.bytes;
    if (!fits) {
        return unexpectedValue(rule.bytes == 0 ? std::string("an integer of 1, 2, 4 or 8 bytes")
                                               : fmt::format("an integer of {} bytes", rule.bytes),
                               bytes);
    }
    std::memcpy(&number, bytes.data(), bytes.size());
    return SpecValue{.text = labelText(number, rule.labels)};
}

Result<SpecValue> decodeTextInteger(core::Bytes bytes, const SpecRule& rule) {
    const std::string text(asText(bytes).value_or(""));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return unexpectedValue("a decimal integer", bytes);
    }
    const auto label = labelOf(number, rule.labels);
    return SpecValue{.text = label ? std::string(*label) : text};
}

/// Turns the members of objects and the elements of arrays into settings.
Result<> addMembers(const archive::JsonValue& value, const std::string& name, std::size_t depth,
                    std::vector<SpecSetting>& settings) {
    if (depth > maxSpecNesting || settings.size() == maxSpecSettings) {
        return fail(ErrorCode::Limit, fmt::format("expected at most {} settings, nested at most {} deep",
                                                  maxSpecSettings, maxSpecNesting));
    }
    std::size_t members = 0;
    if (value.isObject()) {
        ET_TRY(value.forEachMember([&](std::string_view key, const archive::JsonValue& each) {
            ++members;
            return addMembers(each, name.empty() ? std::string(key) : fmt::format("{}.{}", name, key),
                              depth + 1, settings);
        }));
    }
    if (value.isArray()) {
        ET_TRY(value.forEach([&](const archive::JsonValue& each) {
            return addMembers(each, fmt::format("{}[{}]", name, members++), depth + 1, settings);
        }));
    }
    if (members == 0) {
        const auto text = value.isString() ? value.string() : Result<std::string_view>("");
        settings.push_back({name, value.isString() ? std::string(text.value_or("")) : value.text()});
    }
    return {};
}

Result<SpecValue> decodeJson(core::Bytes bytes) {
    ET_ASSIGN(const archive::JsonDocument document, archive::JsonDocument::parse(bytes, "value"));
    SpecValue decoded;
    const archive::JsonValue root = document.root();
    ET_TRY(addMembers(root, {}, 0, decoded.settings));
    if (decoded.settings.size() == 1 && decoded.settings.front().name.empty()) {
        decoded.text = std::move(decoded.settings.front().value);
        decoded.settings.clear();
    }
    return decoded;
}

/// "--opt=3 -x" becomes opt: 3 and x: true; a word without a dash belongs to the option before it.
Result<SpecValue> decodeOptions(core::Bytes bytes, const SpecRule& rule) {
    const auto text = asText(bytes);
    if (!text) {
        return unexpectedValue("options of a command line", bytes);
    }
    SpecValue decoded;
    constexpr std::string_view spaces = " \t\n";
    for (std::size_t at = text->find_first_not_of(spaces); at < text->size();) {
        const std::size_t end = std::min(text->find_first_of(spaces, at), text->size());
        const std::string_view word = text->substr(at, end - at);
        const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
        if (dashes == 0 && !decoded.settings.empty()) {
            std::string& value = decoded.settings.back().value;
            value = value == "true" ? std::string(word) : fmt::format("{} {}", value, word);
        } else {
            const std::size_t equals = std::min(word.find('='), word.size());
            decoded.settings.push_back(
                {.name = std::string(word.substr(dashes, equals - std::min(dashes, equals))),
                 .value = equals < word.size() ? explained(word.substr(equals + 1), rule) : "true"});
        }
        if (decoded.settings.size() > maxSpecSettings) {
            return fail(ErrorCode::Limit, fmt::format("expected at most {} options", maxSpecSettings));
        }
        at = std::min(text->find_first_not_of(spaces, end), text->size());
    }
    decoded.text = *text;
    return decoded;
}

Result<SpecValue> decode(core::Bytes bytes, const SpecRule& rule) {
    switch (rule.format) {
        case SpecFormat::Text:
            return decodeText(bytes, rule);
        case SpecFormat::Flag:
            return decodeFlag(bytes);
        case SpecFormat::TextFlag:
            return decodeTextFlag(bytes);
        case SpecFormat::Integer:
            return decodeInteger(bytes, rule);
        case SpecFormat::TextInteger:
            return decodeTextInteger(bytes, rule);
        case SpecFormat::Json:
            return decodeJson(bytes);
        case SpecFormat::Options:
            return decodeOptions(bytes, rule);
        case SpecFormat::Flatbuffer:
            return decodeFlatbuffer(bytes, rule.schemas);
    }
    return fail(ErrorCode::Unsupported, "the format of this compile spec is unknown");
}

/// All settings that the spec contains in one line.
std::string summary(const std::vector<SpecSetting>& settings) {
    std::string text;
    for (const SpecSetting& each : settings) {
        if (!each.isDefault) {
            fmt::format_to(std::back_inserter(text), "{}{}={}", text.empty() ? "" : ", ", each.name,
                           each.value);
        }
    }
    return text;
}

}  // namespace

Result<SpecValue> decodeSpec(std::string_view backend, const program::CompileSpec& spec) {
    const SpecRule* const rule = ruleOf(backend, spec.key);
    if (rule == nullptr) {
        return fail(ErrorCode::Unsupported, "the format of this compile spec is unknown");
    }
    Result<SpecValue> decoded = decode(spec.value, *rule);
    if (decoded && decoded->text.empty()) {
        decoded->text = summary(decoded->settings);
    }
    return decoded;
}

std::string specLine(std::string_view backend, const program::CompileSpec& spec) {
    constexpr std::size_t longest = 256;
    if (Result<SpecValue> decoded = decodeSpec(backend, spec)) {
        if (decoded->text.size() > longest) {
            decoded->text = decoded->text.substr(0, longest) + "…";
        }
        return std::move(decoded->text);
    }
    const auto text = asText(spec.value);
    return text && text->size() <= longest ? std::string(*text) : hexText(spec.value, longest);
}

}  // namespace et::backends
