#include "app/embed/kernel_table.h"

#include "app/embed/convert.h"
#include "app/embed/tensor_access.h"
#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <utility>

namespace et_inspect {

/// Makes the argument of a kernel of the caller.
struct KernelCallAccess {
    static KernelCall make(et::kernels::KernelContext& context, et::kernels::Arguments arguments) {
        KernelCall call;
        call.context = &context;
        call.arguments = reinterpret_cast<void* const*>(arguments.data());
        call.count = arguments.size();
        return call;
    }
};

namespace {

using EngineValue = et::core::Value;

/// Maximum number of kernels of callers in a process.
constexpr std::size_t mostKernels = 256;
std::array<std::atomic<const Kernel*>, mostKernels> used{};

/// Results are repeated after the arguments of the schema.
constexpr std::size_t mostRepeated = 16;

et::core::Result<> callKernel(const Kernel& kernel, et::kernels::KernelContext& context,
                              et::kernels::Arguments arguments) {
    if (arguments.size() < kernel.arguments || arguments.size() > kernel.arguments + mostRepeated) {
        return et::kernels::invalid(fmt::format("{} has {} arguments, the program passes {}", kernel.name,
                                                kernel.arguments, arguments.size()));
    }
    KernelCall call = KernelCallAccess::make(context, arguments.first(kernel.arguments));
    const Result<void> done = kernel.compute(call);
    return done ? et::core::Result<>() : std::unexpected(detail::engineError(done.error()));
}

template <std::size_t place>
et::core::Result<> callPlace(et::kernels::KernelContext& context, et::kernels::Arguments arguments) {
    return callKernel(*used[place].load(std::memory_order_acquire), context, arguments);
}

template <std::size_t... place>
constexpr auto functionsOf(std::index_sequence<place...>) {
    return std::array<et::kernels::KernelFunction, sizeof...(place)>{&callPlace<place>...};
}
constexpr auto functions = functionsOf(std::make_index_sequence<mostKernels>());

/// Returns the argument as a T. Errors: InvalidArgument (it is missing or has another type).
template <class T>
Result<T> argumentAs(const KernelCall& call, EngineValue* value, std::size_t index, const char* kind) {
    const T* const found = index < call.size() && value != nullptr ? value->as<T>() : nullptr;
    if (found == nullptr) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("argument {}: expected {}, got {}", index, kind,
                                 value == nullptr ? "nothing" : value->kindName())};
    }
    return *found;
}

EngineValue* valueAt(void* const* arguments, std::size_t count, std::size_t index) {
    return index < count ? static_cast<EngineValue*>(arguments[index]) : nullptr;
}

}  // namespace

std::size_t KernelCall::size() const {
    return count;
}

bool KernelCall::is_none(std::size_t index) const {
    const EngineValue* const value = valueAt(arguments, count, index);
    return value == nullptr || value->isNone();
}

Result<Tensor> KernelCall::tensor(std::size_t index) const {
    EngineValue* const value = valueAt(arguments, count, index);
    const auto found = argumentAs<et::core::Tensor>(*this, value, index, "a tensor");
    if (!found) {
        return found.error();
    }
    return detail::TensorAccess::show(*found, nullptr);
}

Result<Tensor> KernelCall::output(std::size_t index, const Sizes& sizes) {
    EngineValue* const value = valueAt(arguments, count, index);
    auto* const tensor = value == nullptr ? nullptr : value->as<et::core::Tensor>();
    if (tensor == nullptr || tensor->isConstant()) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("argument {} is not a tensor to write to", index)};
    }
    if (auto resized = tensor->resize(sizes); !resized) {
        return detail::errorOf(resized.error());
    }
    return detail::TensorAccess::show(*tensor, nullptr);
}

Result<std::int64_t> KernelCall::integer(std::size_t index) const {
    return argumentAs<std::int64_t>(*this, valueAt(arguments, count, index), index, "an integer");
}

Result<double> KernelCall::number(std::size_t index) const {
    const EngineValue* const value = valueAt(arguments, count, index);
    const auto scalar = value == nullptr ? std::nullopt : value->scalar();
    if (!scalar || scalar->isBool()) {
        return Error{ErrorCode::InvalidArgument, fmt::format("argument {} is not a number", index)};
    }
    return scalar->to<double>();
}

Result<bool> KernelCall::flag(std::size_t index) const {
    return argumentAs<bool>(*this, valueAt(arguments, count, index), index, "a truth value");
}

Result<std::string> KernelCall::text(std::size_t index) const {
    const auto text = argumentAs<std::string_view>(*this, valueAt(arguments, count, index), index, "a text");
    return text ? Result<std::string>(std::string(*text)) : Result<std::string>(text.error());
}

Result<std::vector<std::int64_t>> KernelCall::integers(std::size_t index) const {
    EngineValue* const value = valueAt(arguments, count, index);
    const auto list = value == nullptr ? std::nullopt : value->ints();
    if (!list) {
        return Error{ErrorCode::InvalidArgument, fmt::format("argument {} is not a list of integers", index)};
    }
    return std::vector<std::int64_t>(list->begin(), list->end());
}

void KernelCall::parallel_for(std::size_t items, std::size_t grain,
                              const std::function<void(std::size_t, std::size_t)>& work) const {
    static_cast<et::kernels::KernelContext*>(context)->threads().parallelFor(items, grain, work);
}

namespace detail {

et::core::Result<std::unique_ptr<KernelTable>> KernelTable::make(std::vector<Kernel> kernels) {
    auto made = std::unique_ptr<KernelTable>(new KernelTable(std::move(kernels)));
    for (const Kernel& kernel : made->kernels) {
        if (!kernel.compute || kernel.arguments > 64 || kernel.results > kernel.arguments) {
            return et::core::fail(et::core::ErrorCode::InvalidArgument,
                                  fmt::format("kernel {}: expected a function, at most 64 arguments, and no "
                                              "more results than arguments",
                                              kernel.name));
        }
        std::size_t place = 0;
        const Kernel* none = nullptr;
        while (place < mostKernels && !used[place].compare_exchange_strong(none, &kernel)) {
            none = nullptr;
            ++place;
        }
        if (place == mostKernels) {
            return et::core::fail(et::core::ErrorCode::Limit,
                                  fmt::format("more than {} kernels of the application", mostKernels));
        }
        made->places.push_back(place);
        std::uint64_t written = 0;
        for (std::size_t i = kernel.arguments - kernel.results; i < kernel.arguments; ++i) {
            written |= std::uint64_t{1} << i;
        }
        made->table.push_back(
            {.name = kernel.name,
             .kernel = {.call = functions[place], .written = written, .arguments = kernel.arguments}});
    }
    return made;
}

KernelTable::~KernelTable() {
    for (const std::size_t place : places) {
        used[place].store(nullptr);
    }
}

}  // namespace detail
}  // namespace et_inspect
