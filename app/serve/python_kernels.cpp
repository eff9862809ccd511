#include "app/serve/python_kernels.h"

#include "app/serve/current.h"
#include "app/serve/functions.h"
#include "app/serve/kernel_caller.h"
#include "app/serve/method_values.h"
#include "app/serve/tensors.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::serve {
namespace {

using core::ErrorCode;
using kernels::Arguments;
using kernels::KernelContext;
using kernels::KernelEntry;

/// A kernel is a plain function without a context argument, so there is a separate function for each slot.
constexpr std::size_t maxKernels = 256;

/// An operator implemented in Python, which finds its function by the number of the slot.
struct KernelSlot {
    std::string name;
    std::size_t inputs = 0;
    std::size_t results = 0;
    std::atomic<bool> isActive = false;  ///< visible to programs loaded from now on
};

/// Slots are never moved or removed, because registries point to them.
struct KernelSlots {
    std::array<KernelSlot, maxKernels> slots;
    std::array<KernelEntry, maxKernels> entries;
    std::atomic<std::size_t> count = 0;  ///< slots with a name, which never changes
    std::mutex registering;
};
KernelSlots& kernelSlots() {
    static auto* const all = new KernelSlots;
    return *all;
}

/// A tensor written by a kernel; valid while the kernel runs.
struct KernelResult {
    core::Tensor* tensor = nullptr;  ///< null: the kernel has returned
};

Value resizeResult(const KernelResult& result, const std::vector<std::int64_t>& sizes) {
    if (result.tensor == nullptr) {
        raise({.code = ErrorCode::InvalidArgument, .message = "the kernel has returned"});
    }
    unwrap(result.tensor->resize(sizes));
    return {};
}

/// Copies what a kernel wrote into its result. Converts float32 to bfloat16, which numpy does not support.
core::Result<> store(const Value& given, core::Tensor& result) {
    if (given.isNone()) {
        return {};
    }
    const auto* const array = given.as<Array>();
    const auto type = array == nullptr                         ? std::nullopt
                      : isDtypeOf(result.dtype(), array->type) ? std::optional(result.dtype())
                                                               : scalarTypeOf(array->type);
    const bool isWidened = type == core::ScalarType::Float && result.dtype() == core::ScalarType::BFloat16;
    if (!type || (*type != result.dtype() && !isWidened)) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected a result of {}", core::describe(result)));
    }
    const auto bytes = core::tensorBytes(static_cast<std::int64_t>(*type), array->sizes);
    if (!std::ranges::equal(array->sizes, result.sizes()) || !bytes ||
        static_cast<std::uint64_t>(*bytes) != array->bytes.size()) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected a result of {}, got {}", core::sizesText(result.sizes()),
                                      core::sizesText(array->sizes)));
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read from
    auto* const data = const_cast<std::byte*>(array->bytes.data());
    ET_ASSIGN(const core::Tensor source, core::Tensor::make(*type, array->sizes, data));
    return kernels::copyElements(kernels::ThreadPool(1), kernels::viewOf(source), kernels::viewOf(result));
}

core::Result<> checkArguments(const KernelSlot& slot, Arguments arguments) {
    const std::size_t count = slot.inputs + slot.results;
    // An instruction's arguments may end with repeated results.
    if (arguments.size() < count || arguments.size() > count + kernels::detail::maxRepeatedResults) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected {} arguments and {} result{}, got {} in total", slot.inputs,
                                      slot.results, slot.results == 1 ? "" : "s", arguments.size()));
    }
    for (std::size_t i = slot.inputs; i < count; ++i) {
        const auto* const tensor = arguments[i]->as<core::Tensor>();
        if (tensor == nullptr || tensor->isConstant()) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("argument {}: expected a Tensor to write to, got {}", i,
                                          arguments[i]->kindName()));
        }
    }
    return {};
}

/// The results that a kernel may write, each as (object to resize it, dtype, numpy's dtype or None, sizes).
class LentResults {
  public:
    explicit LentResults(Arguments tensors) {
        for (core::Value* const each : tensors) {
            lent.push_back(std::make_shared<KernelResult>(each->as<core::Tensor>()));
        }
    }
    LentResults(const LentResults&) = delete;
    LentResults& operator=(const LentResults&) = delete;
    ~LentResults() {
        for (const auto& each : lent) {
            each->tensor = nullptr;
        }
    }

    [[nodiscard]] List described() const {
        return collected(lent, [](const std::shared_ptr<KernelResult>& each) {
            const core::Tensor& tensor = *each->tensor;
            return tupleOf(objectOf(each), std::string_view(core::scalarTypeName(tensor.dtype())),
                           valueOf(std::span<const std::int64_t>(tensor.sizes())));
        });
    }
    core::Result<> storeAll(const List& given) const {
        if (given.size() != lent.size()) {
            return core::fail(ErrorCode::Format,
                              fmt::format("expected {} results, got {}", lent.size(), given.size()));
        }
        for (std::size_t i = 0; i < given.size(); ++i) {
            ET_TRY(store(given[i], *lent[i]->tensor));
        }
        return {};
    }

  private:
    std::vector<std::shared_ptr<KernelResult>> lent;
};

core::Result<> callKernel(std::size_t number, Arguments arguments) {
    const KernelSlot& slot = kernelSlots().slots[number];
    ProgramRun* const run = Current<ProgramRun>::get();
    KernelCaller* const caller = Current<KernelCaller>::get();
    if (run == nullptr || caller == nullptr) {
        return core::fail(ErrorCode::Unsupported, "Python kernels run only in programs loaded from Python");
    }
    ET_TRY(checkArguments(slot, arguments));
    List inputs =
        collected(arguments.first(slot.inputs), [](core::Value* const each) { return methodValue(*each); });
    const LentResults results(arguments.subspan(slot.inputs, slot.results));
    auto given = caller->call(number, std::move(inputs), results.described());
    run->raised = !given && given.error().code == ErrorCode::InvalidArgument;
    ET_TRY(given.transform([](const List&) {}));
    return results.storeAll(*given);
}

template <std::size_t number>
core::Result<> callNumbered(KernelContext&, Arguments arguments) {
    return callKernel(number, arguments);
}

constexpr auto numberedCalls = []<std::size_t... number>(std::index_sequence<number...>) {
    return std::array<kernels::KernelFunction, maxKernels>{&callNumbered<number>...};
}(std::make_index_sequence<maxKernels>{});

/// Returns the slot with this name and signature, whose function is replaced; otherwise a new slot, since
/// loaded programs may use the old one.
std::size_t slotFor(const std::string& name, std::size_t inputs, std::size_t results) {
    const KernelSlots& all = kernelSlots();
    for (std::size_t i = 0; i < all.count; ++i) {
        const KernelSlot& slot = all.slots[i];
        if (slot.name == name && slot.inputs == inputs && slot.results == results) {
            return i;
        }
    }
    if (all.count == maxKernels) {
        raise({.code = ErrorCode::Limit,
               .message = fmt::format("expected at most {} Python kernels", maxKernels)});
    }
    return all.count;
}

bool deactivateKernel(const std::string& name) {
    KernelSlots& all = kernelSlots();
    bool removed = false;
    for (std::size_t i = 0; i < all.count; ++i) {
        removed = (all.slots[i].name == name && all.slots[i].isActive.exchange(false)) || removed;
    }
    return removed;
}

/// Returns true if there was one.
bool removeKernel(const std::string& name) {
    const std::lock_guard one(kernelSlots().registering);
    return deactivateKernel(name);
}

/// Returns the number of the kernel.
std::size_t registerKernel(const std::string& name, std::size_t inputs, std::size_t results) {
    constexpr std::size_t bits = 64;  // of Kernel::written
    if (inputs > bits || results > bits - inputs || results == 0) {
        raise({.code = ErrorCode::InvalidArgument,
               .message = fmt::format("expected a result and at most {} arguments, got {} and {}", bits,
                                      results, inputs)});
    }
    KernelSlots& all = kernelSlots();
    const std::lock_guard one(all.registering);
    const std::size_t number = slotFor(name, inputs, results);
    KernelSlot& slot = all.slots[number];
    deactivateKernel(name);  // with another signature
    if (number < all.count) {
        slot.isActive = true;
        return number;
    }
    slot.name = name;
    slot.inputs = inputs;
    slot.results = results;
    const std::uint64_t written = (results == bits ? ~std::uint64_t{0} : (std::uint64_t{1} << results) - 1)
                                  << inputs;
    all.entries[number] = {
        .name = slot.name,
        .kernel = {.call = numberedCalls[number], .written = written, .arguments = inputs + results}};
    slot.isActive = true;
    ++all.count;
    return number;
}

constexpr std::array kernelTable{
    function<&registerKernel>("register_kernel"),
    function<&removeKernel>("remove_kernel"),
    function<&resizeResult>("KernelResult.resize"),
};

}  // namespace

void addPythonKernels(kernels::KernelRegistry& registry) {
    const KernelSlots& all = kernelSlots();
    for (std::size_t i = 0; i < all.count; ++i) {
        if (all.slots[i].isActive) {
            registry.add(std::span(&all.entries[i], 1));
        }
    }
}

std::span<const Function> kernelFunctions() {
    return kernelTable;
}

}  // namespace et::serve
