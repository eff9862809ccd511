#include "inspector/names/operator_names.h"

#include <algorithm>
#include <array>
#include <string>

namespace et::inspector::names::detail {

namespace {

constexpr std::array<std::string_view, 3> frameworkEvents{methodInit, loadMethod, methodExecute};

constexpr std::array<std::string_view, 9> helperOperators{
    "copy_",        "full",         "_to_dim_order_copy", "_clone_dim_order", "clone",
    "permute_copy", "squeeze_copy", "unsqueeze_copy",     "view_copy"};

/// Namespaces of the Edge operators registered by importing the reference's Inspector: torch's own, and those
/// of the packages it imports.
constexpr std::array<std::string_view, 6> loadedLibraries{"aten",      "dim_order_ops",        "prim",
                                                          "quantized", "quantized_decomposed", "torchao"};

/// Operators that lowering may substitute for one another.
struct Family {
    std::string_view name;
    std::array<std::string_view, 7> members;
};
constexpr std::array families{
    Family{"matrix product", {"linear", "addmm", "mm", "bmm", "baddbmm", "matmul", "fully_connected"}},
    Family{"convolution",
           {"convolution", "conv1d", "conv2d", "conv3d", "conv2d_nchw", "conv2d_nhwc", "conv_depthwise2d"}},
};

/// The name without prefixes and suffixes that lowering adds or removes.
std::string_view stem(std::string_view name) {
    constexpr std::string_view quantized = "quantized_";
    constexpr std::string_view copy = "_copy";
    name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
    if (name.starts_with(quantized)) {
        name.remove_prefix(quantized.size());
    }
    if (name.ends_with(copy)) {
        name.remove_suffix(copy.size());
    }
    while (name.ends_with('_')) {
        name.remove_suffix(1);
    }
    return name;
}

/// True if `part` is a sequence of whole words of `name` ("max_pool2d" in "max_pool2d_with_indices").
bool hasWords(std::string_view name, std::string_view part) {
    if (part.empty()) {
        return false;
    }
    for (std::size_t at = name.find(part); at != std::string_view::npos; at = name.find(part, at + 1)) {
        const std::size_t end = at + part.size();
        if ((at == 0 || name[at - 1] == '_') && (end == name.size() || name[end] == '_')) {
            return true;
        }
    }
    return false;
}

/// Kinds of delegate operators and the nodes that they compute. Only operators that nodes with the same debug
/// handle may be confused with: decomposed matrix products, attention, pixel shuffle, gated activations.
struct DelegatedFamily {
    std::array<std::string_view, 4> kindWords;
    std::array<std::string_view, 7> nodes;  ///< as stem() returns them
};
constexpr std::array delegatedFamilies{
    // The words of "BatchMatrixMultiply" include "Multiply", so products come first. They may add a bias.
    DelegatedFamily{{"connected", "matrix", "matmul", "linear"},
                    {"linear", "addmm", "mm", "bmm", "baddbmm", "matmul", "add"}},
    DelegatedFamily{{"conv2d", "convolution", "depthwise"},
                    {"convolution", "conv1d", "conv2d", "conv3d", "conv_transpose2d"}},
    DelegatedFamily{{"transpose", "permute"}, {"permute", "transpose", "t", "movedim"}},
    DelegatedFamily{{"reshape", "view"},
                    {"view", "unsafe_view", "reshape", "unsqueeze", "squeeze", "flatten", "expand"}},
    DelegatedFamily{{"multiply", "mul"}, {"mul"}},
    DelegatedFamily{{"add"}, {"add", "addmm", "baddbmm"}},
    DelegatedFamily{{"subtract", "sub"}, {"sub", "rsub"}},
    DelegatedFamily{{"divide", "div"}, {"div"}},
    DelegatedFamily{{"sigmoid"}, {"sigmoid"}},
    DelegatedFamily{{"softmax"}, {"softmax", "safe_softmax"}},
};

/// Further kinds, whose names differ from those of the nodes.
constexpr std::array otherDelegatedFamilies{
    DelegatedFamily{{"addmm", "mm", "qmm"}, {"linear", "addmm", "mm", "bmm", "baddbmm", "matmul", "einsum"}},
    DelegatedFamily{
        {"update", "copy", "scatter"},
        {"index_put", "index_copy", "slice_scatter", "select_scatter", "scatter", "kv_cache_update", "copy"}},
    DelegatedFamily{{"take", "gather"}, {"embedding", "index", "index_select", "gather", "select"}},
    DelegatedFamily{{"maximum", "minimum", "clip"},
                    {"relu", "clamp", "hardtanh", "clamp_min", "relu6", "maximum", "minimum"}},
    DelegatedFamily{{"expand", "broadcast"}, {"expand", "unsqueeze", "broadcast_to", "repeat"}},
    DelegatedFamily{{"concatenate", "stack"}, {"cat", "concat", "stack"}},
    DelegatedFamily{{"type"}, {"to", "to_dim_order", "type_as"}},
    DelegatedFamily{{"sdpa"}, {"scaled_dot_product_attention", "custom_sdpa"}},
    DelegatedFamily{{"norm"}, {"native_layer_norm", "layer_norm", "rms_norm", "native_group_norm"}},
    DelegatedFamily{{"power", "square"}, {"pow", "square"}},
    DelegatedFamily{{"slice"}, {"slice", "narrow", "select"}},
    DelegatedFamily{{"full"}, {"full", "full_like", "zeros", "ones", "zeros_like", "ones_like"}},
};

/// Nodes that any operator may compute, since they only copy.
constexpr std::array<std::string_view, 5> copyingNodes{"clone", "clone_dim_order", "to_dim_order",
                                                       "contiguous", "alias"};

/// True if a word of a kind in CamelCase, or of an event's name, is `word`, in any case.
bool hasKindWord(std::string_view kind, std::string_view word) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto isInWord = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    for (std::size_t at = 0; at + word.size() <= kind.size(); ++at) {
        const std::size_t end = at + word.size();
        const bool begins =
            at == 0 || isUpper(kind[at]) || !(isInWord(kind[at - 1]) || isUpper(kind[at - 1]));
        const bool ends = end == kind.size() || !isInWord(kind[end]);
        if (begins && ends && std::ranges::equal(kind.substr(at, word.size()), word, {}, lower)) {
            return true;
        }
    }
    return false;
}

const Family* familyOf(std::string_view name) {
    const auto* family = std::ranges::find_if(
        families, [name](const Family& candidate) { return std::ranges::contains(candidate.members, name); });
    return family == families.end() ? nullptr : family;
}

}  // namespace

bool isFrameworkEvent(std::string_view eventName) {
    return std::ranges::contains(frameworkEvents, eventName);
}

bool isCall(std::string_view eventName) {
    return eventName == operatorCall || eventName == delegateCall || !kernelOperator(eventName).empty();
}

std::string_view kernelOperator(std::string_view eventName) {
    const std::size_t scope = eventName.rfind("::");
    const std::size_t overload = eventName.find('.', scope == std::string_view::npos ? 0 : scope);
    if (scope != std::string_view::npos && overload != std::string_view::npos) {
        return eventName.substr(scope + 2, overload - scope - 2);
    }
    if (!eventName.starts_with(kernelPrefix)) {
        return {};
    }
    return eventName.substr(0, overload).substr(kernelPrefix.size());
}

bool isUnloadedByReference(std::string_view opType) {
    const std::size_t library = opType.find('.');
    const bool hasLibrary = library != opType.rfind('.');  // torch's own are printed without a library
                                                           // ("sym_size.int")
    return hasLibrary && !std::ranges::contains(loadedLibraries, opType.substr(0, library));
}

std::string_view nodeOperator(std::string_view opType) {
    const std::size_t overload = opType.rfind('.');
    if (overload == std::string_view::npos) {
        return opType;
    }
    opType = opType.substr(0, overload);
    return opType.substr(opType.rfind('.') + 1);
}

bool isHelperOperator(std::string_view kernel) {
    return std::ranges::contains(helperOperators, kernel);
}

bool isProduct(std::string_view name) {
    return familyOf(stem(name)) != nullptr;
}

bool mayImplement(std::string_view kernel, std::string_view node) {
    const std::string_view a = stem(kernel);
    const std::string_view b = stem(node);
    const Family* family = familyOf(a);
    return a == b || hasWords(a, b) || hasWords(b, a) || (family != nullptr && family == familyOf(b));
}

bool mayDelegate(std::string_view kind, std::string_view node) {
    const std::string_view name = stem(node);
    const auto doesKind = [kind](const DelegatedFamily& family) {
        return std::ranges::any_of(family.kindWords, [kind](std::string_view word) {
            return !word.empty() && hasKindWord(kind, word);
        });
    };
    const auto isNode = [name](const DelegatedFamily& family) {
        return std::ranges::contains(family.nodes, name);
    };
    const auto* const known = std::ranges::find_if(delegatedFamilies, doesKind);
    return known == delegatedFamilies.end() || std::ranges::contains(copyingNodes, name) || isNode(*known) ||
           std::ranges::none_of(delegatedFamilies, isNode);
}

bool isRearrangement(std::string_view kind) {
    constexpr std::array<std::string_view, 9> words{"transpose", "permute",    "reshape", "view",  "squeeze",
                                                    "type",      "contiguous", "copy",    "expand"};
    return std::ranges::any_of(words, [kind](std::string_view word) { return hasKindWord(kind, word); });
}

bool doesDelegate(std::string_view kind, std::string_view node) {
    const std::string_view name = stem(node);
    if (kind.contains('.')) {
        return stem(nodeOperator(kind)) == name;
    }
    constexpr std::string_view suffix = "Node";
    const std::string_view word = kind.substr(0, kind.find(' '));
    const std::string_view plain =
        word.ends_with(suffix) ? word.substr(0, word.size() - suffix.size()) : word;
    const auto lettersOf = [](std::string_view text) {
        std::string letters;
        for (const char each : text) {
            if (each != '_') {
                letters += each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
            }
        }
        return letters;
    };
    if (lettersOf(plain) == lettersOf(name)) {
        return true;
    }
    const auto isOf = [&](const DelegatedFamily& family) {
        const auto hasWord = [&](std::string_view known) {
            return !known.empty() && hasKindWord(plain, known);
        };
        return std::ranges::any_of(family.kindWords, hasWord) && std::ranges::contains(family.nodes, name);
    };
    return std::ranges::any_of(otherDelegatedFamilies, isOf) || std::ranges::any_of(delegatedFamilies, isOf);
}

}  // namespace et::inspector::names::detail
