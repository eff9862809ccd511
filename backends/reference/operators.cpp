#include "backends/reference/operators.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>
#include <string>
#include <unordered_map>

namespace et::backends::reference {
namespace {

/// Prefixes of operators in serialized targets.
constexpr std::array<std::string_view, 2> dialects{"executorch.exir.dialects.edge.ops.", "torch.ops."};

using ByName = std::unordered_map<std::string_view, const Operator*>;

const ByName& operatorsByName() {
    static const ByName table = [] {
        ByName made;
        for (const auto rows : operatorTables()) {
            for (const Operator& row : rows) {
                made.emplace(row.name, &row);
            }
        }
        return made;
    }();
    return table;
}

const Operator* find(std::string_view name) {
    const auto found = operatorsByName().find(name);
    return found == operatorsByName().end() ? nullptr : found->second;
}

/// Position of the overload's dot in "aten.add_.Tensor"; npos if there is none.
std::size_t overloadAt(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == 0 ? std::string_view::npos : dot;
}

template <class T>
bool parseNumber(std::string_view text, T& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// Parses a default value of a row: None, True, 1, 0.5, [1,1], or a word.
ReferenceValue literal(std::string_view text) {
    std::int64_t whole = 0;
    double number = 0;
    if (text == "None") {
        return {};
    }
    if (text == "True" || text == "False") {
        return {text == "True"};
    }
    if (text.starts_with('[')) {
        ReferenceValue::List items;
        for (const auto part : std::views::split(text.substr(1, text.size() - 2), ',')) {
            if (const std::string_view item(part.begin(), part.end()); !item.empty()) {
                items.push_back(literal(item));
            }
        }
        return {std::move(items)};
    }
    if (parseNumber(text, whole)) {
        return {whole};
    }
    if (parseNumber(text, number)) {
        return {number};
    }
    return {std::string(text)};
}

DeclaredArgument declaredArgument(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
        return {.name = word};
    }
    return {
        .name = word.substr(0, equals), .hasDefault = true, .defaultValue = literal(word.substr(equals + 1))};
}

}  // namespace

std::span<const std::span<const Operator>> operatorTables() {
    static const std::array tables{kernelOperators(),      composedElementwise(), composedShapes(),
                                   composedArrangements(), composedLayers(),      composedEinsum(),
                                   composedAttention(),    composedReductions(),  composedQuantized(),
                                   composedRecurrent(),    composedIndexing(),    composedMlx(),
                                   composedMlxProducts(),  composedMlxRandom()};
    return tables;
}

std::string_view plainTarget(std::string_view target) {
    for (const std::string_view dialect : dialects) {
        if (target.starts_with(dialect)) {
            return target.substr(dialect.size());
        }
    }
    return target;
}

ResolvedOperator resolveOperator(std::string_view target) {
    const std::string name(plainTarget(target));
    if (const Operator* row = find(name)) {
        return {.row = row, .view = row->view};
    }
    const std::size_t dot = overloadAt(name);
    if (dot == std::string::npos || dot == 0) {
        return {};
    }
    std::string changed = name;
    if (const Operator* row = find(changed.insert(dot, "_copy"))) {
        return {.row = row, .view = true};
    }
    if (name[dot - 1] != '_') {
        return {};
    }
    changed = name;
    changed.erase(dot - 1, 1);
    if (const Operator* row = find(changed)) {
        return {.row = row, .inPlace = true};
    }
    // "detach_" changes a tensor's metadata in place: in a graph it is an ordinary view.
    const Operator* view = find(changed.insert(dot - 1, "_copy"));
    return {.row = view, .view = view != nullptr};
}

OperatorSignature signatureOf(const Operator& row) {
    OperatorSignature signature;
    bool results = false;
    for (const auto part : std::views::split(row.arguments, ' ')) {
        const std::string_view word(part.begin(), part.end());
        if (word == "->") {
            results = true;
        } else if (results) {
            signature.resultTypes.push_back(word);
        } else if (!word.empty()) {
            signature.arguments.push_back(declaredArgument(word));
        }
    }
    return signature;
}

}  // namespace et::backends::reference
