#include "backends/lowering/node_arguments.h"

#include "backends/lowering/edge_method.h"

namespace et::backends::lowering {

using etrecord::Argument;
using etrecord::Node;

namespace {

template <class T>
const T* held(const Node& node, std::string_view name) {
    const Argument* argument = findArgument(node, name);
    return argument == nullptr ? nullptr : std::get_if<T>(&argument->value);
}

}  // namespace

std::optional<std::int64_t> integerArgument(const Node& node, std::string_view name) {
    const auto* number = held<std::int64_t>(node, name);
    return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<double> numberArgument(const Node& node, std::string_view name) {
    if (const auto* number = held<double>(node, name)) {
        return *number;
    }
    const auto whole = integerArgument(node, name);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

bool booleanArgument(const Node& node, std::string_view name, bool otherwise) {
    const auto* truth = held<bool>(node, name);
    return truth == nullptr ? otherwise : *truth;
}

std::optional<std::vector<std::int64_t>> integersArgument(const Node& node, std::string_view name) {
    const auto* items = held<std::vector<etrecord::SymInt>>(node, name);
    if (items == nullptr) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const etrecord::SymInt& item : *items) {
        if (!item.expression.empty()) {
            return std::nullopt;
        }
        numbers.push_back(item.value);
    }
    return numbers;
}

std::optional<std::vector<double>> numbersArgument(const Node& node, std::string_view name) {
    const auto* items = held<std::vector<double>>(node, name);
    return items == nullptr ? std::nullopt : std::optional(*items);
}

std::string_view textArgument(const Node& node, std::string_view name) {
    const auto* text = held<std::string>(node, name);
    return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::optional<std::vector<std::string_view>> tensorsArgument(const Node& node, std::string_view name) {
    const auto* items = held<std::vector<std::optional<etrecord::ValueRef>>>(node, name);
    if (items == nullptr) {
        return std::nullopt;
    }
    std::vector<std::string_view> names;
    for (const auto& item : *items) {
        if (!item) {
            return std::nullopt;
        }
        names.emplace_back(item->name);
    }
    return names;
}

std::string_view firstResult(const Node& node) {
    return node.outputs.empty() ? std::string_view() : valueName(&node.outputs.front());
}

}  // namespace et::backends::lowering
