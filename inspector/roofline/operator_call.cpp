#include "inspector/roofline/operator_call.h"

#include "runtime/core/scalar_type.h"
#include "runtime/executor/instruction_name.h"
#include "runtime/kernels/operator_schema.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace et::inspector {

using program::ValueId;

namespace {

/// The integers in a text, in order; nothing if one is too large.
std::optional<std::vector<std::int64_t>> wholeNumbers(std::string_view text) {
    constexpr std::string_view digits = "0123456789";
    std::vector<std::int64_t> numbers;
    for (std::size_t at = text.find_first_of(digits); at != std::string_view::npos;
         at = text.find_first_of(digits, at)) {
        const std::size_t start = at > 0 && text[at - 1] == '-' ? at - 1 : at;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data() + start, text.data() + text.size(), number);
        if (error != std::errc{}) {
            return std::nullopt;
        }
        numbers.push_back(number);
        at = static_cast<std::size_t>(end - text.data());
    }
    return numbers;
}

Arithmetic arithmeticOfCode(std::int8_t code) {
    switch (static_cast<core::ScalarType>(code)) {
        case core::ScalarType::Char:
        case core::ScalarType::Byte:
            return Arithmetic::Int8;
        case core::ScalarType::Half:
            return Arithmetic::Fp16;
        default:
            return Arithmetic::Fp32;
    }
}

/// Arithmetic of a datatype name inside a delegate: "qint8", "qbint4", "float16".
Arithmetic arithmeticOfName(std::string_view type) {
    if (type.contains("int8") || type.contains("int4")) {
        return Arithmetic::Int8;
    }
    return type.contains("float16") || type.contains("half") ? Arithmetic::Fp16 : Arithmetic::Fp32;
}

OperandForm formOf(const program::TensorInfo& tensor, ValueId id) {
    return {.id = id.value,
            .sizes = tensor.sizes,
            .bytes = static_cast<double>(tensor.byteSize.value_or(0)),
            .arithmetic = arithmeticOfCode(tensor.scalarType),
            .exact = tensor.dynamism == program::ShapeDynamism::Static && tensor.byteSize.has_value()};
}

/// The forms of the tensors among the values.
std::vector<OperandForm> formsOf(const program::Method& method, const std::vector<ValueId>& ids) {
    std::vector<OperandForm> forms;
    for (const ValueId id : ids) {
        if (const auto* tensor = method.value(id).as<program::TensorInfo>()) {
            forms.push_back(formOf(*tensor, id));
        }
    }
    return forms;
}

/// Parses the form of a value whose type is "float32 [1, 2]".
OperandForm formOf(const core::ModelGraph& graph, core::GraphValueId id) {
    const core::GraphValue& value = graph.value(id);
    const std::size_t list = value.type.find('[');
    OperandForm form{.id = id.value,
                     .sizes = {},
                     .bytes = static_cast<double>(value.bytes),
                     .arithmetic = arithmeticOfName(std::string_view(value.type).substr(0, list))};
    auto sizes =
        list == std::string::npos ? std::nullopt : wholeNumbers(std::string_view(value.type).substr(list));
    form.exact = sizes.has_value();
    form.sizes = std::move(sizes).value_or(std::vector<std::int64_t>());
    // Some graphs have no byte size of a value; the form is then inexact.
    form.exact = form.exact && (value.bytes > 0 || form.elements() == 0);
    return form;
}

std::vector<OperandForm> formsOf(const core::ModelGraph& graph, const std::vector<core::GraphValueId>& ids) {
    std::vector<OperandForm> forms;
    std::ranges::transform(ids, std::back_inserter(forms),
                           [&](core::GraphValueId id) { return formOf(graph, id); });
    return forms;
}

}  // namespace

double OperandForm::elements() const {
    double count = 1;
    for (const std::int64_t size : sizes) {
        count *= static_cast<double>(size);
    }
    return count;
}

std::optional<std::vector<std::int64_t>> OperatorCall::numbers(std::string_view attribute) const {
    const auto found = std::ranges::find(attributes, attribute, &core::GraphAttribute::name);
    // Values computed at run time are "v12"; truncated lists contain dots.
    if (found == attributes.end() || found->text.contains('v') || found->text.contains("...")) {
        return std::nullopt;
    }
    return wholeNumbers(found->text);
}

Arithmetic OperatorCall::arithmetic() const {
    return !inputs.empty()    ? inputs.front().arithmetic
           : !outputs.empty() ? outputs.front().arithmetic
                              : Arithmetic::Fp32;
}

OperatorCall operatorCall(const program::Method& method, const program::KernelCall& call,
                          const program::InstructionAccess& access) {
    const std::string full = method.op(call.op).fullName();
    const kernels::OperatorSchema* const schema = kernels::findSchema(full);
    OperatorCall out{.cost = schema == nullptr ? core::Cost::Unknown : schema->cost,
                     .inputs = formsOf(method, access.reads),
                     .outputs = formsOf(method, access.writes),
                     .attributes = {}};
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        const std::string_view name = executor::argumentName(full, i);
        if (!name.empty() && !method.value(call.args[i]).is<program::TensorInfo>()) {
            out.attributes.push_back({std::string(name), executor::valueText(method, call.args[i])});
        }
    }
    return out;
}

OperatorCall operatorCall(const core::ModelGraph& graph, const core::GraphNode& node) {
    return {.cost = node.cost,
            .inputs = formsOf(graph, node.inputs),
            .outputs = formsOf(graph, node.outputs),
            .attributes = node.attributes};
}

}  // namespace et::inspector
