#include "inspector/fit/kernel_list.h"

#include "inspector/fit/settings_text.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <system_error>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::Result;

constexpr std::string_view defaultKernel = "default";

std::unexpected<core::Error> wrongLine(std::string_view file, std::size_t line, std::string message) {
    return core::fail(ErrorCode::Format, std::move(message),
                      {.file = std::string(file), .field = fmt::format("line {}", line), .offset = {}});
}

bool sameWithoutCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

/// Runtime names of dtypes that match neither the schemas' nor torch's names.
constexpr std::pair<std::string_view, std::string_view> runtimeDtypes[] = {
    {"ComplexHalf", "complex32"}, {"ComplexFloat", "complex64"}, {"ComplexDouble", "complex128"}};

/// Parses a dtype in the spelling of torch ("float32"), the schemas ("FLOAT"), the runtime ("Float"), or as a
/// number.
std::optional<std::int8_t> dtypeOf(std::string_view text) {
    for (const auto& [runtime, torch] : runtimeDtypes) {
        text = sameWithoutCase(text, runtime) ? torch : text;
    }
    for (const core::ScalarTypeInfo& each : core::scalarTypes()) {
        if (text == each.torchName || sameWithoutCase(text, each.name)) {
            return each.code;
        }
    }
    std::int8_t code = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), code);
    return error == std::errc() && stop == end && core::scalarType(code) ? std::optional(code) : std::nullopt;
}

bool isOperatorName(std::string_view text) {
    const std::size_t colons = text.find("::");
    return colons != std::string_view::npos && colons > 0 && colons + 2 < text.size() &&
           std::ranges::all_of(text, [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '_' || c == ':' || c == '.';
           });
}

/// Parses a word after an operator: a dtype, a key or "default". Returns false if it is none of these.
bool takeKernel(std::string_view text, KernelSupport& into) {
    if (text == defaultKernel) {
        into.anyDtype = true;
        return true;
    }
    if (dtypesOfKey(text)) {
        into.keys.emplace(text);
        return true;
    }
    if (const auto dtype = dtypeOf(text)) {
        into.dtypes.insert(*dtype);
        return true;
    }
    return false;
}

bool isTrue(const Setting* setting) {
    const std::string* const text = setting == nullptr ? nullptr : setting->text();
    return text != nullptr && (sameWithoutCase(*text, "true") || sameWithoutCase(*text, "yes"));
}

/// The kernels that a selective build compiles for the entries of `et_kernel_metadata`: the dtypes of the
/// keys before the first entry that is not a key, or all of them.
Result<KernelSupport> selectedKernels(const Setting& entries, std::string_view file) {
    KernelSupport out;
    if (entries.list() == nullptr) {
        return wrongLine(file, entries.line,
                         fmt::format("expected a list of kernel keys, got {}", entries.kindName()));
    }
    for (const Setting::Pointer& entry : *entries.list()) {
        const std::string* const text = entry->text();
        if (text == nullptr) {
            return wrongLine(file, entry->line,
                             fmt::format("expected a kernel key, got {}", entry->kindName()));
        }
        if (*text == defaultKernel || !text->contains('/')) {
            break;
        }
        const auto dtypes = dtypesOfKey(*text);
        if (!dtypes) {
            return wrongLine(file, entry->line,
                             fmt::format("expected a kernel key such as \"v1/6;0,1\", got \"{}\"",
                                         core::printable(*text)));
        }
        out.dtypes.insert(dtypes->begin(), dtypes->end());
    }
    out.anyDtype = out.dtypes.empty();
    return out;
}

/// selected_operators.yaml.
Result<KernelList> readSelection(const Setting& root, std::string_view file) {
    KernelList out{.kind = "selected operators"};
    out.everything = isTrue(root.find("include_all_operators"));
    std::map<std::string, KernelSupport, std::less<>> kernels;
    const Setting* const metadata = root.find("et_kernel_metadata");
    const bool hasKernels = metadata != nullptr && metadata->map() != nullptr && !metadata->map()->empty();
    if (hasKernels) {
        for (const auto& [name, keys] : *metadata->map()) {
            ET_ASSIGN(kernels[name], selectedKernels(*keys, file));
        }
    }
    const Setting* const operators = root.find("operators");
    if (operators == nullptr) {
        for (const auto& [name, support] : kernels) {
            out.add(name, support);
        }
        return out;
    }
    if (operators->map() == nullptr && !operators->isNull()) {
        return wrongLine(file, operators->line,
                         fmt::format("operators: expected a map, got {}", operators->kindName()));
    }
    std::size_t without = 0;
    for (const auto& [name, entry] : operators->isNull() ? Setting::Map() : *operators->map()) {
        const auto found = kernels.find(name);
        if (isTrue(entry->find("include_all_overloads"))) {
            out.allOverloads.insert(name.substr(0, name.find('.')));
        } else if (found != kernels.end()) {
            out.add(name, found->second);
        } else if (!hasKernels) {
            out.add(name, {.anyDtype = true});
        } else {
            ++without;
        }
    }
    if (without > 0) {
        out.notes.push_back(
            fmt::format("{} of its operators have no entry in et_kernel_metadata, so a build registers no "
                        "kernel for them",
                        without));
    }
    return out;
}

/// Operator of an entry of functions.yaml: "add.out" in `op`, or the schema in `func`.
std::string functionName(const Setting& entry) {
    for (const char* const key : {"op", "func"}) {
        if (const Setting* const named = entry.find(key); named != nullptr && named->text() != nullptr) {
            const std::string name = named->text()->substr(0, named->text()->find('('));
            return name.contains("::") ? name : "aten::" + name;
        }
    }
    return {};
}

/// Adds the dtypes of a kernel specialised in functions.yaml: those of the type aliases used by its
/// arguments.
void addSpecialised(const Setting& entry, const Setting& arguments, KernelSupport& into) {
    const Setting* const aliases = entry.find("type_alias");
    if (arguments.map() == nullptr) {
        return;
    }
    for (const auto& [name, meta] : *arguments.map()) {
        const Setting* alias = nullptr;
        if (meta->list() != nullptr && !meta->list()->empty() && aliases != nullptr) {
            const std::string* const type = meta->list()->front()->text();
            alias = type == nullptr ? nullptr : aliases->find(*type);
        }
        if (alias == nullptr || alias->list() == nullptr) {
            continue;
        }
        for (const Setting::Pointer& type : *alias->list()) {
            const std::string* const text = type->text();
            if (const auto dtype = text == nullptr ? std::nullopt : dtypeOf(*text)) {
                into.dtypes.insert(*dtype);
            }
        }
    }
}

/// functions.yaml.
Result<KernelList> readFunctions(const Setting& root, std::string_view file) {
    KernelList out{.kind = "operator functions"};
    for (const Setting::Pointer& entry : *root.list()) {
        const std::string name = functionName(*entry);
        if (!isOperatorName(name)) {
            return wrongLine(file, entry->line, "expected an entry with \"op\" or \"func\"");
        }
        KernelSupport support;
        const Setting* const kernels = entry->find("kernels");
        if (kernels == nullptr || kernels->list() == nullptr) {
            support.anyDtype = true;
            out.add(name, support);
            continue;
        }
        for (const Setting::Pointer& kernel : *kernels->list()) {
            const Setting* const arguments = kernel->find("arg_meta");
            if (arguments == nullptr || arguments->isNull()) {
                support.anyDtype = true;
            } else {
                addSpecialised(*entry, *arguments, support);
            }
        }
        out.add(name, support);
    }
    return out;
}

/// {"aten::add.out": ["Float", "v1/6;0,1"], …}
Result<KernelList> readDictionary(const Setting& root, std::string_view file) {
    KernelList out{.kind = "an operator dictionary"};
    for (const auto& [name, kernels] : *root.map()) {
        if (!isOperatorName(name)) {
            return wrongLine(
                file, kernels->line,
                fmt::format(
                    "expected the name of an operator or a key of selected_operators.yaml, got \"{}\"",
                    core::printable(name)));
        }
        KernelSupport support;
        const Setting::List none;
        for (const Setting::Pointer& each : kernels->list() == nullptr ? none : *kernels->list()) {
            const std::string* const text = each->text();
            KernelSupport one;
            if (text == nullptr || !takeKernel(*text, one)) {
                return wrongLine(file, each->line, "expected a dtype or a kernel key");
            }
            // Builds compile the dtypes of a key for any dim order.
            for (const std::string& key : one.keys) {
                one.dtypes.merge(*dtypesOfKey(key));
            }
            one.keys.clear();
            support.add(one);
        }
        support.anyDtype = support.anyDtype || support.dtypes.empty();
        out.add(name, support);
    }
    return out;
}

void findPrims(KernelList& list) {
    list.listsPrims = std::ranges::any_of(
        list.operators, [](const auto& entry) { return entry.first.starts_with(primNamespace); });
}

/// Parses the operators of one line, each with its dtypes and keys.
Result<> readLine(std::string_view line, std::size_t number, std::string_view file, KernelList& into) {
    std::string name;
    KernelSupport support;
    const auto finish = [&] {
        if (!name.empty()) {
            support.anyDtype = support.anyDtype || (support.dtypes.empty() && support.keys.empty());
            into.add(name, support);
        }
        support = {};
    };
    while (true) {
        const std::size_t begin = line.find_first_not_of(" \t,");
        if (begin == std::string_view::npos) {
            break;
        }
        line.remove_prefix(begin);
        // Commas inside a key do not separate words.
        const bool isKey = line.starts_with("v1/");
        std::string_view word = line.substr(0, line.find_first_of(isKey ? " \t" : " \t,"));
        line.remove_prefix(word.size());
        while (word.ends_with(',') || (word.ends_with(':') && !word.ends_with("::"))) {
            word.remove_suffix(1);
        }
        if (isOperatorName(word)) {
            finish();
            name = word;
        } else if (name.empty() || !takeKernel(word, support)) {
            return wrongLine(
                file, number,
                fmt::format("expected an operator such as \"aten::add.out\"{}, got \"{}\"",
                            name.empty() ? "" : ", a dtype or a kernel key", core::printable(word)));
        }
    }
    finish();
    return {};
}

}  // namespace

void KernelSupport::add(const KernelSupport& other) {
    anyDtype = anyDtype || other.anyDtype;
    dtypes.insert(other.dtypes.begin(), other.dtypes.end());
    keys.insert(other.keys.begin(), other.keys.end());
}

void KernelList::add(std::string_view name, const KernelSupport& support) {
    operators[std::string(name)].add(support);
}

const KernelSupport* KernelList::find(std::string_view name) const {
    static const KernelSupport all{.anyDtype = true};
    if (const auto found = operators.find(name); found != operators.end()) {
        return &found->second;
    }
    const bool isPrim = name.starts_with(primNamespace) && !listsPrims;
    return everything || isPrim || allOverloads.contains(name.substr(0, name.find('.'))) ? &all : nullptr;
}

KernelMatch KernelList::match(std::string_view name, const KernelUse& use) const {
    const KernelSupport* const support = find(name);
    if (support == nullptr) {
        return KernelMatch::NoOperator;
    }
    if (support->anyDtype || support->keys.contains(use.key)) {
        return KernelMatch::Fits;
    }
    if (!support->dtypes.empty()) {
        return std::ranges::includes(support->dtypes, use.dtypes) ? KernelMatch::Fits : KernelMatch::NoDtype;
    }
    return missingDtypes(name, use).empty() ? KernelMatch::NoKernel : KernelMatch::NoDtype;
}

std::set<std::int8_t> KernelList::missingDtypes(std::string_view name, const KernelUse& use) const {
    std::set<std::int8_t> out = use.dtypes;
    if (const KernelSupport* const support = find(name)) {
        const auto erase = [&](std::int8_t dtype) { out.erase(dtype); };
        std::ranges::for_each(support->dtypes, erase);
        for (const std::string& key : support->keys) {
            std::ranges::for_each(dtypesOfKey(key).value_or(std::set<std::int8_t>()), erase);
        }
    }
    return out;
}

Result<KernelList> readKernelText(std::string_view text, std::string_view file) {
    KernelList out{.kind = "a list"};
    for (std::size_t number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line = line.substr(0, std::min(line.find('#'), line.find('\r')));
        ET_TRY(readLine(line, number, file, out));
    }
    findPrims(out);
    return out;
}

Result<KernelList> readKernelSettings(std::string_view text, std::string_view file) {
    ET_ASSIGN(const Setting::Pointer root, readSettings(text, file));
    Result<KernelList> out = KernelList();
    if (root->list() != nullptr) {
        out = readFunctions(*root, file);
    } else if (root->map() == nullptr) {
        return wrongLine(file, root->line, fmt::format("expected a map or a list, got {}", root->kindName()));
    } else if (root->find("operators") != nullptr || root->find("et_kernel_metadata") != nullptr ||
               root->find("include_all_operators") != nullptr) {
        out = readSelection(*root, file);
    } else {
        out = readDictionary(*root, file);
    }
    if (out) {
        findPrims(*out);
    }
    return out;
}

}  // namespace et::inspector
