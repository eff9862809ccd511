#include "backends/xnnpack/quantize/lifted_numbers.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/quantize/exported_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using core::ScalarType;
using etrecord::Argument;
using etrecord::Node;

struct NumberRow {
    std::string_view op;      ///< reads a number argument
    std::string_view lifted;  ///< reads a tensor
};
constexpr std::array numberRows{
    NumberRow{.op = "aten.add.Scalar", .lifted = "aten.add.Tensor"},
    NumberRow{.op = "aten.mul.Scalar", .lifted = "aten.mul.Tensor"},
};

/// Name prefix of constants that export makes from numbers.
constexpr std::string_view constantName = "_lifted_tensor_constant";

/// The only element of a tensor; nothing for other tensors and dtypes.
std::optional<double> onlyElement(const core::Tensor& tensor) {
    if (tensor.numel() != 1) {
        return std::nullopt;
    }
    switch (tensor.dtype()) {
        case ScalarType::Float:
            return static_cast<double>(*tensor.data<float>());
        case ScalarType::Double:
            return *tensor.data<double>();
        case ScalarType::Long:
            return static_cast<double>(*tensor.data<std::int64_t>());
        case ScalarType::Int:
            return static_cast<double>(*tensor.data<std::int32_t>());
        default:
            return std::nullopt;
    }
}

class Lifting {
  public:
    Lifting(lowering::EdgeMethod& ofMethod, ModelDraft& ofDraft) : method(ofMethod), draft(ofDraft) {}

    Result<> run() {
        for (Node& node : draft.graph.nodes) {
            const auto* const row = std::ranges::find_if(numberRows, [&](const NumberRow& each) {
                return node.op == each.op || node.op == each.lifted;
            });
            if (row == numberRows.end() || !lowering::isFloat(draft.graph, lowering::firstResult(node))) {
                continue;
            }
            // Skips products inside decomposed attention, which are not in the exported program.
            if (const auto origin = originOf(node); !origin || origin->target == row->lifted) {
                ET_TRY(liftArguments(node, *row));
            }
        }
        dropConversions();
        return {};
    }

  private:
    Result<> liftArguments(Node& node, const NumberRow& row) {
        for (const std::string_view name : {"self", "other"}) {
            const auto place = std::ranges::find(node.inputs, name, &Argument::name);
            if (place == node.inputs.end()) {
                continue;
            }
            ET_ASSIGN(const auto number, numberOf(node, *place));
            if (!number) {
                continue;
            }
            // addTensor() does not move nodes.
            place->kind = "as_tensor";
            place->value = etrecord::ValueRef{.name = constantOf(*number)};
            const std::size_t at = node.target.rfind(row.op);
            if (at != std::string::npos) {
                node.target.replace(at, row.op.size(), row.lifted);
            }
            node.op = row.lifted;
        }
        return {};
    }

    Result<std::optional<double>> numberOf(const Node& node, const Argument& argument) {
        const std::string_view value = lowering::valueName(&argument);
        if (value.empty()) {
            return lowering::numberArgument(node, argument.name);
        }
        std::string_view constant = value;
        if (const auto maker = method.producer(value)) {
            const Node& conversion = method.node(*maker);
            if (conversion.op != "dim_order_ops._to_dim_order_copy.default" &&
                conversion.op != "aten._to_copy.default") {
                return std::nullopt;
            }
            constant = lowering::valueName(lowering::findArgument(conversion, "self"));
        }
        if (!isPythonNumber(method, constant) || !lowering::isFloat(draft.graph, value)) {
            return std::nullopt;
        }
        ET_ASSIGN(const reference::ReferenceTensor tensor, method.tensor(constant));
        if (constant != value) {
            converted.insert(std::string(value));
        }
        return onlyElement(tensor.view);
    }

    std::string constantOf(double number) {
        const auto single = static_cast<float>(number);
        const std::string target = fmt::format("_tensor_constant_{}", count++);
        return draft.addTensor("tensor_constant", target, target,
                               tensorOf(ScalarType::Float, {}, std::as_bytes(std::span(&single, 1))));
    }

    /// Drops conversions to float32 of values that now are float32, if nothing else reads them.
    void dropConversions() {
        std::set<std::string, std::less<>> read;
        const auto note = [&](const Argument& argument) {
            reference::forNames(argument, [&](const std::string& name) { read.insert(name); });
        };
        for (const Node& node : draft.graph.nodes) {
            std::ranges::for_each(node.inputs, note);
        }
        std::ranges::for_each(draft.graph.outputs, note);
        const auto unread = [&](std::string_view value) {
            return converted.contains(value) && !read.contains(value);
        };
        std::erase_if(draft.graph.nodes,
                      [&](const Node& node) { return unread(lowering::firstResult(node)); });
        for (const std::string& value : converted) {
            if (unread(value)) {
                draft.graph.tensors.erase(value);
            }
        }
    }

    lowering::EdgeMethod& method;
    ModelDraft& draft;
    std::set<std::string, std::less<>> converted;  ///< values made from integers
    std::size_t count = 0;
};

}  // namespace

bool isPythonNumber(const lowering::EdgeMethod& method, std::string_view value) {
    const auto* meta = method.meta(value);
    return value.starts_with(constantName) && method.isConstant(value) && meta != nullptr &&
           meta->sizes.empty();
}

Result<> liftNumbers(lowering::EdgeMethod& method, ModelDraft& draft) {
    return Lifting(method, draft).run();
}

}  // namespace et::backends::xnnpack
