#include "backends/lowering/kernel_choice.h"

#include "runtime/kernels/operator_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace et::backends::lowering {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::Node;
using reference::DeclaredArgument;
using reference::Operator;

/// Arguments about results that kernels read from their output tensors instead.
constexpr std::array<std::string_view, 5> silentArguments{"dtype", "layout", "device", "pin_memory",
                                                          "memory_format"};

bool isNumber(const Argument* argument) {
    return argument != nullptr && (argument->kind.starts_with("as_sym_") || argument->kind == "as_int" ||
                                   argument->kind == "as_float" || argument->kind == "as_bool");
}

/// Default name of an out variant: "aten::add.out" for "aten.add.default", "aten::eq.Scalar_out" for
/// "aten.eq.Scalar".
std::string usualName(std::string_view target) {
    const std::size_t space = target.find('.');
    const std::size_t overload = target.rfind('.');
    if (space == std::string_view::npos || overload == space) {
        return {};
    }
    const std::string_view word = target.substr(overload + 1);
    return fmt::format("{}::{}.{}", target.substr(0, space), target.substr(space + 1, overload - space - 1),
                       word == "default" ? std::string("out") : fmt::format("{}_out", word));
}

/// `x + 2` is exported as add.Tensor with a number; the Scalar overload has a separate kernel.
const Operator* scalarTwin(const Operator& row) {
    constexpr std::string_view tensorOverload = ".Tensor";
    if (!row.name.ends_with(tensorOverload)) {
        return nullptr;
    }
    const auto twin = reference::resolveOperator(
        fmt::format("{}.Scalar", row.name.substr(0, row.name.size() - tensorOverload.size())));
    return twin.inPlace || twin.view ? nullptr : twin.row;
}

const Argument* findOther(const Node& node) {
    const auto found = std::ranges::find(node.inputs, "other", &Argument::name);
    return found == node.inputs.end() ? nullptr : &*found;
}

Result<> bind(const Node& node, const Operator& row, KernelChoice& choice) {
    const auto signature = reference::signatureOf(row);
    std::vector<const Argument*> given(signature.arguments.size(), nullptr);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Argument& argument = node.inputs[i];
        const auto declared = std::ranges::find(signature.arguments, argument.name, &DeclaredArgument::name);
        const bool byPosition = argument.name.empty() && i < given.size();
        if (byPosition || declared != signature.arguments.end()) {
            given[byPosition ? i : static_cast<std::size_t>(declared - signature.arguments.begin())] =
                &argument;
        } else if (!std::ranges::contains(silentArguments, argument.name)) {
            return fail(ErrorCode::Unsupported,
                        fmt::format("its argument \"{}\" is not known", core::printable(argument.name)));
        }
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        const DeclaredArgument& declared = signature.arguments[i];
        if (given[i] == nullptr && !declared.hasDefault) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("its argument \"{}\" is missing", declared.name));
        }
        choice.arguments.push_back(given[i] != nullptr ? KernelChoice::Argument(given[i])
                                                       : KernelChoice::Argument(declared.defaultValue));
        if (declared.name == "indices" && row.name.starts_with("aten.index")) {
            choice.optionalItems = i;
        }
    }
    return {};
}

}  // namespace

Result<KernelChoice> chooseKernel(const Node& node, const kernels::KernelRegistry& kernels) {
    const auto resolved = reference::resolveOperator(node.target);
    if (resolved.row == nullptr || resolved.inPlace) {
        return fail(ErrorCode::Unsupported,
                    resolved.row == nullptr ? "no kernel here computes it"
                                            : "it writes to its argument, which Edge graphs do not allow");
    }
    const Operator* row = resolved.row;
    KernelChoice choice;
    if (isNumber(findOther(node)) && !row->name.ends_with(".Scalar")) {
        if (const Operator* twin = scalarTwin(*row); twin != nullptr) {
            row = twin;
        } else if (row->name.contains("Tensor") || row->name.ends_with(".default")) {
            const auto signature = reference::signatureOf(*row);
            const auto at = std::ranges::find(signature.arguments, "other", &DeclaredArgument::name);
            choice.wrapped = static_cast<std::size_t>(at - signature.arguments.begin());
        }
    }
    choice.kernel = row->kernel.empty() ? usualName(row->name) : std::string(row->kernel);
    // A composed operator may have a kernel with other arguments.
    const auto* schema = row->kernel.empty() ? kernels::findSchema(choice.kernel) : nullptr;
    const bool isOther = schema != nullptr && schema->arguments != row->arguments;
    if (choice.kernel.empty() || isOther || kernels.find(choice.kernel) == nullptr) {
        return fail(ErrorCode::Unsupported, fmt::format("there is no kernel \"{}\"", choice.kernel));
    }
    ET_TRY(bind(node, *row, choice));
    return choice;
}

const Operator* operatorOf(std::string_view kernel) {
    static const auto table = [] {
        std::unordered_map<std::string, const Operator*> made;
        for (const auto rows : reference::operatorTables()) {
            for (const Operator& row : rows) {
                made.emplace(row.kernel.empty() ? usualName(row.name) : std::string(row.kernel), &row);
            }
        }
        return made;
    }();
    const auto found = table.find(std::string(kernel));
    return found == table.end() ? nullptr : found->second;
}

}  // namespace et::backends::lowering
