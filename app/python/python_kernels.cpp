#include "app/python/python_kernels.h"

#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/method_values.h"
#include "app/python/tensors.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using core::ErrorCode;
using kernels::Arguments;
using kernels::KernelContext;
using kernels::KernelEntry;

thread_local KernelScope* currentScope = nullptr;

/// A kernel is a plain function without a context argument, so there is a separate function for each slot.
constexpr std::size_t maxKernels = 256;

/// An operator implemented in Python.
struct KernelSlot {
    std::string name;
    PyObject* function = nullptr;  ///< f(inputs, results); guarded by the GIL
    std::size_t inputs = 0;
    std::size_t results = 0;
    std::atomic<bool> isActive = false;  ///< visible to programs loaded from now on
};

/// Slots are never moved or removed, because registries point to them.
struct KernelSlots {
    std::array<KernelSlot, maxKernels> slots;
    std::array<KernelEntry, maxKernels> entries;
    std::atomic<std::size_t> count = 0;  ///< slots with a name, which never changes
};
KernelSlots& kernelSlots() {
    static auto* const all = new KernelSlots;
    return *all;
}

/// A tensor written by a kernel; valid while the kernel runs.
struct KernelResult {
    core::Tensor* tensor = nullptr;  ///< null: the kernel has returned
    std::shared_ptr<const void> owner;

    [[nodiscard]] core::Tensor& get() const {
        if (tensor == nullptr) {
            raise({.code = ErrorCode::InvalidArgument, .message = "the kernel has returned"});
        }
        return *tensor;
    }
};

using FloatArray = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

/// Writes float32 to a tensor of the same shape and any dtype, including bfloat16, which numpy does not
/// support.
void storeFloats(const KernelResult& result, const FloatArray& numbers) {
    core::Tensor& tensor = result.get();
    const std::vector<std::int64_t> sizes(numbers.shape_ptr(), numbers.shape_ptr() + numbers.ndim());
    if (!std::ranges::equal(sizes, tensor.sizes())) {
        raise({.code = ErrorCode::InvalidArgument,
               .message = fmt::format("expected a result of {}, got {}", core::sizesText(tensor.sizes()),
                                      core::sizesText(sizes))});
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read from
    const core::Tensor source = core::Tensor::over(const_cast<float*>(numbers.data()), sizes);
    unwrap(kernels::copyElements(kernels::ThreadPool(1), kernels::viewOf(source), kernels::viewOf(tensor)));
}

nb::list inputsOf(Arguments arguments, const KernelScope& scope) {
    nb::list out;
    const TensorObject tensor = [&](core::Tensor& given) {
        return scope.sharesMemory ? array(static_cast<std::int8_t>(given.dtype()), given.sizes(),
                                          given.dimOrder(), given.rawBytes(), scope.owner)
                                  : copiedArray(given);
    };
    for (core::Value* const each : arguments) {
        out.append(methodValue(*each, tensor));
    }
    return out;
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

/// Requires the GIL.
void callFunction(const KernelSlot& slot, Arguments arguments, const KernelScope& scope) {
    nb::list results;
    std::vector<KernelResult*> lent;
    for (core::Value* const each : arguments.subspan(slot.inputs, slot.results)) {
        nb::object lending = nb::cast(KernelResult{each->as<core::Tensor>(), scope.owner});
        lent.push_back(nb::inst_ptr<KernelResult>(lending));
        results.append(std::move(lending));
    }
    const nb::object function = nb::borrow(slot.function);
    const auto takeBack = [&] {
        for (KernelResult* const each : lent) {
            each->tensor = nullptr;
        }
    };
    try {
        function(inputsOf(arguments.first(slot.inputs), scope), results);
    } catch (...) {
        takeBack();
        throw;
    }
    takeBack();
}

core::Result<> callKernel(std::size_t number, Arguments arguments) {
    const KernelSlot& slot = kernelSlots().slots[number];
    KernelScope* const scope = KernelScope::current();
    if (scope == nullptr) {
        return core::fail(ErrorCode::Unsupported, "Python kernels run only in programs loaded from Python");
    }
    ET_TRY(checkArguments(slot, arguments));
    const nb::gil_scoped_acquire held;
    try {
        callFunction(slot, arguments, *scope);
    } catch (nb::python_error& thrown) {
        core::Error error{.code = ErrorCode::InvalidArgument, .message = core::printable(thrown.what())};
        scope->raised.emplace(std::move(thrown));
        return std::unexpected(std::move(error));
    }
    return {};
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

/// Returns true if there was one.
bool removeKernel(const std::string& name) {
    KernelSlots& all = kernelSlots();
    bool removed = false;
    for (std::size_t i = 0; i < all.count; ++i) {
        removed = (all.slots[i].name == name && all.slots[i].isActive.exchange(false)) || removed;
    }
    return removed;
}

void registerKernel(const std::string& name, const nb::callable& function, std::size_t inputs,
                    std::size_t results) {
    constexpr std::size_t bits = 64;  // of Kernel::written
    if (inputs + results > bits || results == 0) {
        raise({.code = ErrorCode::InvalidArgument,
               .message = fmt::format("expected a result and at most {} arguments, got {} and {}", bits,
                                      results, inputs)});
    }
    KernelSlots& all = kernelSlots();
    const std::size_t number = slotFor(name, inputs, results);
    KernelSlot& slot = all.slots[number];
    PyObject* const before = std::exchange(slot.function, nb::object(function).release().ptr());
    Py_XDECREF(before);
    removeKernel(name);  // with another signature
    if (number < all.count) {
        slot.isActive = true;
        return;
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
}

}  // namespace

KernelScope::KernelScope(std::shared_ptr<const void> keeper, bool shares)
    : owner(std::move(keeper)), sharesMemory(shares), outer(std::exchange(currentScope, this)) {
}

KernelScope::~KernelScope() {
    currentScope = outer;
}

KernelScope* KernelScope::current() {
    return currentScope;
}

void addPythonKernels(kernels::KernelRegistry& registry) {
    const KernelSlots& all = kernelSlots();
    for (std::size_t i = 0; i < all.count; ++i) {
        if (all.slots[i].isActive) {
            registry.add(std::span(&all.entries[i], 1));
        }
    }
}

void bindKernels(nb::module_& module) {
    nb::class_<KernelResult>(module, "KernelResult", "A tensor that a running kernel writes.")
        .def(
            "array", [](const KernelResult& self) { return writableArray(self.get(), self.owner); },
            nb::sig("def array(self) -> numpy.typing.NDArray"), "Its elements, writable.")
        .def(
            "resize",
            [](const KernelResult& self, const std::vector<std::int64_t>& sizes) {
                unwrap(self.get().resize(sizes));
            },
            "sizes"_a, "Changes its shape, within the memory that the program planned for it.")
        .def("store_floats", &storeFloats, "numbers"_a,
             "Converts float32 numbers to its dtype and writes them; for bfloat16, which numpy lacks.")
        .def_prop_ro(
            "dtype", [](const KernelResult& self) { return text(core::scalarTypeName(self.get().dtype())); },
            "As `float32`.");
    module.def("remove_kernel", &removeKernel, "name"_a, "Removes a kernel. Returns whether it existed.");
    module.def("register_kernel", &registerKernel, "name"_a, "function"_a, "inputs"_a, "results"_a,
               "Registers `function` as the kernel of an operator, for programs that are loaded later.\n\nIt "
               "is called with `inputs` values and `results` of KernelResult.");
}

}  // namespace et::python
