#include "inspector/fit/oplist.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace et::inspector {
namespace {

/// Writes a plain YAML scalar if it reads back unchanged, else a quoted one.
std::string yamlText(std::string_view text) {
    constexpr std::string_view plainMarks = "_./-+@";
    const auto isPlain = [&](unsigned char c) {
        return std::isalnum(c) != 0 || plainMarks.contains(static_cast<char>(c));
    };
    if (!text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
        std::ranges::all_of(text, isPlain)) {
        return std::string(text);
    }
    std::string out = "'";
    for (const char c : core::printable(text)) {
        out += c == '\'' ? "''" : std::string(1, c);
    }
    return out + "'";
}

/// Operator names contain colons, which YAML allows in keys if no blank follows.
std::string operatorText(std::string_view name) {
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c == ':';
    };
    const bool plain = !name.empty() && std::ranges::all_of(name, isPlain) && !name.ends_with(':') &&
                       std::isdigit(static_cast<unsigned char>(name.front())) == 0 && name.front() != ':';
    return plain ? std::string(name) : yamlText(name);
}

std::set<std::string> keysOf(const ListedOperator& listed, const OplistOptions& options) {
    std::set<std::string> keys = listed.keys;
    if (options.numbers && !keys.empty()) {
        for (const std::int8_t dtype : listed.numbers) {
            if (!listed.dtypes.contains(dtype)) {
                keys.insert(fmt::format("v1/{};", dtype));
            }
        }
    }
    return keys;
}

}  // namespace

std::map<std::string, ListedOperator> operatorList(std::span<const NamedProgram> programs) {
    std::map<std::string, ListedOperator> out;
    for (const NamedProgram& each : programs) {
        for (const program::Method& method : each.program->methods) {
            for (const OperatorUse& op : operatorsOf(method)) {
                ListedOperator& listed = out[op.name];
                listed.programs.insert(each.name);
                for (const KernelUse& use : op.uses) {
                    if (!use.listedKey.empty()) {
                        listed.keys.insert(use.listedKey);
                    }
                    listed.instructions[use.listedKey] += use.instructions.size();
                    listed.dtypes.insert(use.dtypes.begin(), use.dtypes.end());
                    listed.numbers.insert(use.numbers.begin(), use.numbers.end());
                }
            }
        }
    }
    return out;
}

std::string oplistYaml(const std::map<std::string, ListedOperator>& operators, const OplistOptions& options) {
    // Keys in alphabetical order, like the build's output.
    std::string out = "build_features: []\ncustom_classes: []\net_kernel_metadata:";
    out += operators.empty() ? " {}\n" : "\n";
    for (const auto& [name, listed] : operators) {
        out += fmt::format("  {}:\n", operatorText(name));
        const std::set<std::string> keys = keysOf(listed, options);
        for (const std::string& key : keys) {
            out += fmt::format("  - {}\n", key);
        }
        out += keys.empty() ? "  - default\n" : "";
    }
    out +=
        "include_all_non_op_selectives: false\ninclude_all_operators: false\nkernel_metadata: {}\noperators:";
    out += operators.empty() ? " {}\n" : "\n";
    for (const auto& [name, listed] : operators) {
        out += fmt::format("  {}:\n    debug_info:\n", operatorText(name));
        for (const std::string& program : listed.programs) {
            out += fmt::format("    - {}\n", yamlText(program));
        }
        out +=
            "    include_all_overloads: false\n    is_root_operator: true\n    is_used_for_training: true\n";
    }
    return out;
}

}  // namespace et::inspector
