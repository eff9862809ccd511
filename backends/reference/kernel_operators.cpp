#include "backends/reference/operators.h"
#include "runtime/kernels/operator_schema.h"

#include <fmt/format.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

// Operators computed by one runtime kernel: those of the runtime's table of operators, and other names for
// their kernels.
namespace et::backends::reference {
namespace {

struct Alias {
    std::string_view name;  ///< as in Operator
    std::string_view kernel;
};

constexpr Alias aliases[] = {
    {"aten.arange.start_step", "aten::arange.start_out"},
    {"aten.adaptive_avg_pool2d.default", "aten::_adaptive_avg_pool2d.out"},
    {"_operator.add", "executorch_prim::add.Scalar"},
    {"_operator.sub", "executorch_prim::sub.Scalar"},
    {"_operator.mul", "executorch_prim::mul.Scalar"},
    {"_operator.floordiv", "executorch_prim::floordiv.Scalar"},
    {"_operator.truediv", "executorch_prim::truediv.Scalar"},
    {"_operator.mod", "executorch_prim::mod.Scalar"},
    {"_operator.eq", "executorch_prim::eq.Scalar"},
    {"_operator.ne", "executorch_prim::ne.Scalar"},
    {"_operator.lt", "executorch_prim::lt.Scalar"},
    {"_operator.le", "executorch_prim::le.Scalar"},
    {"_operator.gt", "executorch_prim::gt.Scalar"},
    {"_operator.ge", "executorch_prim::ge.Scalar"},
    {"_operator.neg", "executorch_prim::neg.Scalar"},
    {"_operator.not_", "executorch_prim::sym_not.Scalar"},
    {"math.ceil", "executorch_prim::ceil.Scalar"},
    {"math.floor", "executorch_prim::floor.Scalar"},
    {"math.trunc", "executorch_prim::trunc.Scalar"},
    {"builtins.round", "executorch_prim::round.Scalar"},
    {"torch.sym_float", "executorch_prim::sym_float.Scalar"},
    {"torch.sym_not", "executorch_prim::sym_not.Scalar"},
    {"torch.sym_max", "executorch_prim::sym_max.Scalar"},
    {"torch.sym_min", "executorch_prim::sym_min.Scalar"},
    {"torch.sym_ite", "executorch_prim::sym_ite.Scalar"},
    {"aten.item.default", "aten::_local_scalar_dense"},
    {"aten.concat.default", "aten::cat.out"},
    {"aten.concatenate.default", "aten::cat.out"},
    {"aten.unsafe_split.Tensor", "aten::split_copy.Tensor_out"},
    {"aten.unsafe_split_with_sizes.default", "aten::split_with_sizes_copy.out"},
    {"aten.__and__.Tensor", "aten::bitwise_and.Tensor_out"},
    {"aten.__and__.Scalar", "aten::bitwise_and.Scalar_out"},
    {"aten.__or__.Tensor", "aten::bitwise_or.Tensor_out"},
    {"aten.__or__.Scalar", "aten::bitwise_or.Scalar_out"},
    {"aten.__xor__.Tensor", "aten::bitwise_xor.Tensor_out"},
    {"aten.__xor__.Scalar", "aten::bitwise_xor.Scalar_out"},
    {"aten.__lshift__.Tensor", "aten::bitwise_left_shift.Tensor_out"},
    {"aten.__lshift__.Scalar", "aten::bitwise_left_shift.Tensor_Scalar_out"},
    {"aten.__rshift__.Tensor", "aten::bitwise_right_shift.Tensor_out"},
    {"aten.__rshift__.Scalar", "aten::bitwise_right_shift.Tensor_Scalar_out"},
    {"aten.absolute.default", "aten::abs.out"},
    {"aten.arccos.default", "aten::acos.out"},
    {"aten.arccosh.default", "aten::acosh.out"},
    {"aten.arcsin.default", "aten::asin.out"},
    {"aten.arcsinh.default", "aten::asinh.out"},
    {"aten.arctan.default", "aten::atan.out"},
    {"aten.arctan2.default", "aten::atan2.out"},
    {"aten.arctanh.default", "aten::atanh.out"},
    {"aten.fix.default", "aten::trunc.out"},
    {"aten.negative.default", "aten::neg.out"},
    {"aten.sgn.default", "aten::sign.out"},
    {"aten.greater.Tensor", "aten::gt.Tensor_out"},
    {"aten.greater.Scalar", "aten::gt.Scalar_out"},
    {"aten.greater_equal.Tensor", "aten::ge.Tensor_out"},
    {"aten.greater_equal.Scalar", "aten::ge.Scalar_out"},
    {"aten.less.Tensor", "aten::lt.Tensor_out"},
    {"aten.less.Scalar", "aten::lt.Scalar_out"},
    {"aten.less_equal.Tensor", "aten::le.Tensor_out"},
    {"aten.less_equal.Scalar", "aten::le.Scalar_out"},
    {"aten.not_equal.Tensor", "aten::ne.Tensor_out"},
    {"aten.not_equal.Scalar", "aten::ne.Scalar_out"},
    {"aten.multiply.Scalar", "aten::mul.Scalar_out"},
    {"aten.subtract.Scalar", "aten::sub.Scalar_out"},
    {"aten.divide.Scalar", "aten::div.Scalar_out"},
    {"aten.true_divide.Scalar", "aten::div.Scalar_out"},
    {"aten.clip.default", "aten::clamp.out"},
    {"aten.divide.Tensor", "aten::div.out"},
    {"aten.true_divide.Tensor", "aten::div.out"},
    {"aten.max.other", "aten::maximum.out"},
    {"aten.min.other", "aten::minimum.out"},
    {"aten.multiply.Tensor", "aten::mul.out"},
    {"aten.subtract.Tensor", "aten::sub.out"},
};

/// Overload called by graphs, or empty.
std::string_view functionalOverload(const kernels::OperatorSchema& schema) {
    constexpr std::string_view ending = "_out";
    if (!schema.functional.empty()) {
        return schema.functional == kernels::noFunctional ? "" : schema.functional;
    }
    const std::string_view overload = schema.name.substr(schema.name.find('.') + 1);
    if (overload == "out") {
        return "default";
    }
    return overload.ends_with(ending) ? overload.substr(0, overload.size() - ending.size()) : "";
}

/// Name of the operator in graphs: "aten.add.Tensor" for "aten::add.out"; empty if there is none.
std::string graphName(const kernels::OperatorSchema& schema) {
    const std::string_view overload = functionalOverload(schema);
    const std::size_t library = schema.name.find("::");
    const std::string_view op = schema.name.substr(library + 2);
    return overload.empty() ? std::string()
                            : fmt::format("{}.{}.{}", schema.name.substr(0, library),
                                          op.substr(0, op.find('.')), overload);
}

struct Rows {
    std::deque<std::string> names;
    std::vector<Operator> operators;
};

Rows makeRows() {
    Rows rows;
    for (const auto schemas : kernels::operatorSchemas()) {
        for (const kernels::OperatorSchema& schema : schemas) {
            if (std::string name = graphName(schema); !name.empty()) {
                rows.operators.push_back(
                    {rows.names.emplace_back(std::move(name)), schema.arguments, schema.name});
            }
        }
    }
    for (const Alias& alias : aliases) {
        rows.operators.push_back({alias.name, kernels::findSchema(alias.kernel)->arguments, alias.kernel});
    }
    return rows;
}

}  // namespace

std::span<const Operator> kernelOperators() {
    static const Rows rows = makeRows();
    return rows.operators;
}

}  // namespace et::backends::reference
