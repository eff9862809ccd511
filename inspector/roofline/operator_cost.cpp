#include "inspector/roofline/operator_cost.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace et::inspector {
namespace {

double bytesOf(const std::vector<OperandForm>& forms) {
    double bytes = 0;
    for (const OperandForm& form : forms) {
        bytes += form.bytes;
    }
    return bytes;
}

bool isExact(const OperatorCall& call) {
    return !call.outputs.empty() && std::ranges::all_of(call.inputs, &OperandForm::exact) &&
           std::ranges::all_of(call.outputs, &OperandForm::exact);
}

}  // namespace

std::optional<OperatorCost> operatorCost(const OperatorCall& call) {
    const CostRule* rule = costRule(call.cost);
    if (rule == nullptr || !isExact(call)) {
        return std::nullopt;
    }
    const std::optional<double> operations = rule->countOperations(call);
    const std::optional<double> read = rule->countBytesRead(call);
    if (!operations || !read || !std::isfinite(*operations) || !std::isfinite(*read)) {
        return std::nullopt;
    }
    return OperatorCost{.operations = *operations,
                        .bytesRead = *read,
                        .bytesWritten = bytesOf(call.outputs),
                        .arithmetic = call.arithmetic()};
}

std::optional<OperatorCost> fusedCost(std::span<const OperatorCall> calls,
                                      std::span<const std::uint32_t> kept) {
    if (calls.empty()) {
        return std::nullopt;
    }
    OperatorCost sum;
    std::set<std::uint32_t> written;
    std::set<std::uint32_t> read;
    std::map<std::uint32_t, double> results;
    double mostOperations = -1;
    for (const OperatorCall& call : calls) {
        const std::optional<OperatorCost> cost = operatorCost(call);
        if (!cost) {
            return std::nullopt;
        }
        sum.operations += cost->operations;
        sum.bytesRead += cost->bytesRead;
        if (cost->operations > mostOperations) {
            mostOperations = cost->operations;
            sum.arithmetic = cost->arithmetic;
        }
        for (const OperandForm& input : call.inputs) {
            const bool isInner = written.contains(input.id) || !read.insert(input.id).second;
            sum.bytesRead -= isInner ? std::min(input.bytes, cost->bytesRead) : 0;
            if (!std::ranges::contains(kept, input.id)) {
                results.erase(input.id);
            }
        }
        for (const OperandForm& output : call.outputs) {
            written.insert(output.id);
            results[output.id] = output.bytes;
        }
    }
    sum.bytesRead = std::max(sum.bytesRead, 0.0);
    for (const auto& [id, bytes] : results) {
        sum.bytesWritten += bytes;
    }
    return sum;
}

}  // namespace et::inspector
