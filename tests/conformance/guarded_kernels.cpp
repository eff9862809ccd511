#include "tests/conformance/guarded_kernels.h"

#include "runtime/kernels/builtin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <deque>
#include <stdexcept>
#include <utility>
#include <vector>

namespace et::conformance {
namespace {

using core::Result;
using core::Tensor;
using kernels::KernelEntry;

constexpr std::size_t maxGuards = 1500;

/// State shared by the guards.
struct Guards {
    std::vector<const KernelEntry*> real;
    std::deque<KernelEntry> entries;
    GuardedKernels::Rule rule;
};
Guards& guards() {
    static Guards all;
    return all;
}

void addTo(std::string& key, const Tensor& tensor) {
    key += fmt::format("{}{};{}", key.empty() ? "v1/" : "|", static_cast<int>(tensor.dtype()),
                       fmt::join(tensor.dimOrder(), ","));
}

ObservedCall observe(kernels::Arguments arguments) {
    ObservedCall call;
    const auto note = [&](const Tensor& tensor) {
        call.dtypes.insert(static_cast<std::int8_t>(tensor.dtype()));
        addTo(call.listedKey, tensor);
    };
    for (core::Value* const argument : arguments) {
        if (argument == nullptr) {
            continue;
        }
        if (const auto* const tensor = argument->as<Tensor>()) {
            note(*tensor);
            addTo(call.key, *tensor);
        } else if (const auto* const list = argument->as<core::TensorListValue>()) {
            for (const core::Value* const item : list->items) {
                if (const Tensor* const inner = item == nullptr ? nullptr : item->as<Tensor>()) {
                    note(*inner);
                }
            }
        }
    }
    return call;
}

Result<> guardedCall(std::size_t number, kernels::KernelContext& context, kernels::Arguments arguments) {
    const KernelEntry& entry = *guards().real[number];
    if (!guards().rule(entry.name, observe(arguments))) {
        return core::fail(core::ErrorCode::Unsupported, "not among the kernels of the list");
    }
    return entry.kernel.call(context, arguments);
}

template <std::size_t... numbers>
constexpr std::array<kernels::KernelFunction, sizeof...(numbers)> makeCalls(
    std::index_sequence<numbers...> /*all*/) {
    return {[](kernels::KernelContext& context, kernels::Arguments arguments) {
        return guardedCall(numbers, context, arguments);
    }...};
}
constexpr auto calls = makeCalls(std::make_index_sequence<maxGuards>());

const KernelEntry* guard(const KernelEntry& entry) {
    const std::size_t number = guards().real.size();
    if (number == maxGuards) {
        throw std::length_error("more operators than guards");
    }
    guards().real.push_back(&entry);
    KernelEntry guarded = entry;
    guarded.kernel.call = calls[number];
    guarded.older = entry.older == nullptr ? nullptr : guard(*entry.older);
    guards().entries.push_back(guarded);
    return &guards().entries.back();
}

}  // namespace

GuardedKernels::GuardedKernels(const std::function<bool(std::string_view name)>& has, Rule rule) {
    guards().rule = std::move(rule);
    for (const KernelEntry* const entry : kernels::builtin().all()) {
        if (has(entry->name)) {
            table.add({guard(*entry), 1});
        }
    }
}

GuardedKernels::~GuardedKernels() {
    guards() = {};
}

}  // namespace et::conformance
