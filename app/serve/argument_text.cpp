#include "app/serve/argument_text.h"

#include "inspector/format/python_text.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace et::serve {
namespace {

std::string valueText(const etrecord::ValueRef& value) {
    return "%" + value.name;
}

std::string sizeText(const etrecord::SymInt& size) {
    return size.expression.empty() ? std::to_string(size.value) : "%" + size.expression;
}

/// "[a, b]".
template <class Items, class Write>
std::string bracketed(const Items& items, Write write) {
    std::string out;
    for (const auto& item : items) {
        out += (out.empty() ? "" : ", ") + write(item);
    }
    return "[" + out + "]";
}

/// An argument as torch.fx prints it: "%x", "[1, 1]", "torch.float32".
struct ArgumentText {
    std::string_view kind;

    std::string operator()(std::monostate /*none*/) const { return "None"; }
    std::string operator()(const etrecord::ValueRef& value) const { return valueText(value); }
    std::string operator()(const std::vector<std::optional<etrecord::ValueRef>>& values) const {
        return bracketed(values, [](const auto& each) { return each ? valueText(*each) : "None"; });
    }
    std::string operator()(std::int64_t number) const {
        return kind == "as_scalar_type" ? "torch." + core::scalarTypeName(static_cast<std::int8_t>(number))
                                        : std::to_string(number);
    }
    std::string operator()(double number) const { return inspector::format::pythonFloat(number); }
    std::string operator()(bool truth) const { return truth ? "True" : "False"; }
    std::string operator()(const std::string& words) const { return words; }
    std::string operator()(const std::vector<etrecord::SymInt>& sizes) const {
        return bracketed(sizes, sizeText);
    }
    std::string operator()(const std::vector<double>& numbers) const {
        return bracketed(numbers, inspector::format::pythonFloat);
    }
    std::string operator()(const std::vector<bool>& truths) const {
        return bracketed(truths, [](const bool each) { return std::string(each ? "True" : "False"); });
    }
    std::string operator()(const std::vector<std::string>& words) const {
        return bracketed(words, [](const std::string& each) { return each; });
    }
    std::string operator()(const std::shared_ptr<const etrecord::GraphRef>& graph) const {
        return "%" + graph->name;
    }
    std::string operator()(const std::vector<etrecord::Argument>& items) const {
        return bracketed(items, &serve::argumentText);
    }
};

}  // namespace

std::string argumentText(const etrecord::Argument& argument) {
    return std::visit(ArgumentText{argument.kind}, argument.value);
}

}  // namespace et::serve
