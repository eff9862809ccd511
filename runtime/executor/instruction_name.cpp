#include "runtime/executor/instruction_name.h"

#include "runtime/kernels/operator_schema.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <variant>

namespace et::executor {
namespace {

using program::ValueId;

/// Maximum number of list items written.
constexpr std::size_t maxItems = 32;

class ValueText {
  public:
    explicit ValueText(const program::Method& of) : method(of) {}

    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return fmt::to_string(value); }
    std::string operator()(double value) const { return fmt::to_string(value); }
    std::string operator()(std::string_view value) const { return fmt::format("\"{}\"", value); }
    std::string operator()(const program::TensorInfo&) const { return "a tensor"; }
    std::string operator()(const program::IntList& list) const {
        return joined(list.items, [this](ValueId id) {
            const auto* number = method.value(id).as<std::int64_t>();
            return number == nullptr ? fmt::format("v{}", id.value) : fmt::to_string(*number);
        });
    }
    std::string operator()(const program::DoubleList& list) const {
        return joined(list.items, [](double item) { return fmt::to_string(item); });
    }
    std::string operator()(const program::BoolList& list) const {
        return joined(list.items, [](bool item) { return std::string(item ? "True" : "False"); });
    }
    std::string operator()(const program::TensorList& list) const {
        return joined(list.items, [](ValueId id) { return fmt::format("v{}", id.value); });
    }
    std::string operator()(const program::OptionalTensorList& list) const {
        return joined(list.items, [](std::optional<ValueId> id) {
            return id ? fmt::format("v{}", id->value) : std::string("None");
        });
    }

  private:
    template <class Items, class Text>
    static std::string joined(const Items& items, Text text) {
        std::string out = "[";
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i == maxItems) {
                return out + fmt::format(", ... {} in all]", items.size());
            }
            out += (i == 0 ? "" : ", ") + text(items[i]);
        }
        return out + "]";
    }

    const program::Method& method;
};

}  // namespace

std::string valueText(const program::Method& method, ValueId id) {
    return method.value(id).is<program::TensorInfo>() ? fmt::format("v{}", id.value)
                                                      : method.value(id).visit(ValueText(method));
}

std::string_view argumentName(std::string_view op, std::size_t argument) {
    const kernels::OperatorSchema* const schema = kernels::findSchema(op);
    if (schema == nullptr || schema->arguments == "self") {
        return {};
    }
    const std::string_view declared = schema->arguments.substr(0, schema->arguments.find(" ->"));
    const std::string_view word = nameInList(declared, argument);
    return word.substr(0, word.find('='));
}

std::string_view nameInList(std::string_view names, std::size_t argument) {
    for (; argument > 0 && !names.empty(); --argument) {
        const std::size_t blank = names.find(' ');
        names.remove_prefix(blank == std::string_view::npos ? names.size() : blank + 1);
    }
    return names.substr(0, names.find(' '));
}

std::string argumentLabel(std::size_t argument, std::string_view name) {
    return name.empty() ? fmt::format("argument {}", argument)
                        : fmt::format("argument {} ({})", argument, name);
}

std::string instructionLabel(const program::Method& method, const program::Instruction& instruction) {
    if (const auto* call = std::get_if<program::KernelCall>(&instruction)) {
        return method.op(call->op).fullName();
    }
    if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
        return std::string(method.delegate(call->delegate).backend);
    }
    return std::string(program::instructionName(instruction));
}

}  // namespace et::executor
