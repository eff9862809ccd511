#include "app/tasks/debug/stored_value.h"

#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <type_traits>
#include <vector>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::HostTensor;

Result<> assignTensor(const HostTensor& from, core::Value& to, const kernels::ThreadPool& threads) {
    auto* const target = to.as<core::Tensor>();
    ET_ASSIGN(const core::Tensor source, inspector::viewOf(from));
    if (target == nullptr || target->dtype() != from.dtype) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected {}, got {}",
                                target == nullptr ? std::string(to.kindName()) : core::describe(*target),
                                core::describe(source)));
    }
    if (target->isConstant()) {
        return fail(ErrorCode::InvalidArgument, "a constant cannot be changed");
    }
    ET_TRY(target->resize(source.sizes()));
    return kernels::copyElements(threads, kernels::viewOf(source), kernels::viewOf(*target));
}

}  // namespace

StoredValue storedValue(const executor::InputValue& value) {
    return std::visit(
        []<class T>(const T& content) -> StoredValue {
            if constexpr (std::is_same_v<T, executor::TensorInput>) {
                return HostTensor{.dtype = content.dtype,
                                  .sizes = {content.sizes.begin(), content.sizes.end()},
                                  .dimOrder = {content.dimOrder.begin(), content.dimOrder.end()},
                                  .data = {content.data.begin(), content.data.end()}};
            } else {
                return content;
            }
        },
        value);
}

StoredValue storedValue(const core::Value& value) {
    if (const auto* tensor = value.as<core::Tensor>()) {
        const auto bytes = tensor->rawBytes();
        return HostTensor{.dtype = tensor->dtype(),
                          .sizes = {tensor->sizes().begin(), tensor->sizes().end()},
                          .dimOrder = {tensor->dimOrder().begin(), tensor->dimOrder().end()},
                          .data = {bytes.begin(), bytes.end()}};
    }
    if (const auto* number = value.as<std::int64_t>()) {
        return *number;
    }
    if (const auto* number = value.as<double>()) {
        return *number;
    }
    if (const auto* truth = value.as<bool>()) {
        return *truth;
    }
    return {};
}

executor::InputValue inputOf(const StoredValue& value) {
    return std::visit(
        []<class T>(const T& content) -> executor::InputValue {
            if constexpr (std::is_same_v<T, HostTensor>) {
                return executor::TensorInput{.dtype = content.dtype,
                                             .sizes = content.sizes,
                                             .dimOrder = content.dimOrder,
                                             .data = content.data};
            } else {
                return content;
            }
        },
        value);
}

Result<> assign(const StoredValue& from, core::Value& to, const kernels::ThreadPool& threads) {
    if (const auto* tensor = std::get_if<HostTensor>(&from)) {
        return assignTensor(*tensor, to, threads);
    }
    const bool isSameKind = std::visit(
        [&]<class T>(const T& /*content*/) {
            if constexpr (std::is_same_v<T, HostTensor>) {
                return false;
            } else {
                return to.as<T>() != nullptr;
            }
        },
        from);
    if (!isSameKind) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a value of kind {}, got another", to.kindName()));
    }
    std::visit(
        [&]<class T>(const T& content) {
            if constexpr (!std::is_same_v<T, HostTensor>) {
                to.set(content);
            }
        },
        from);
    return {};
}

}  // namespace et::tasks
