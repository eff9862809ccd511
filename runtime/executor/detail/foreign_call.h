#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/backend.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/plugin/include/et_inspect/plugin_interface.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

// Calls of libraries that are written for ExecuTorch's headers (runtime/plugin).
namespace et::executor::detail {

/// State for the host functions during a call.
struct ForeignHost {
    kernels::KernelContext* kernel = nullptr;     ///< null: a delegate
    kernels::ScratchMemory* temporary = nullptr;  ///< null: the kernel's
    kernels::ScratchMemory* kept = nullptr;       ///< null: only for delegates
    const kernels::ThreadPool* threads = nullptr;
    const NamedDataSource* namedData = nullptr;
    core::EventTracer* tracer = nullptr;
    core::TraceIds ids{};
    core::TraceName unnamed{};  ///< of the tracer
};

/// The functions that libraries call.
[[nodiscard]] const et_inspect::Host& foreignHost();

/// The error of a call that returned an error code of ExecuTorch.
[[nodiscard]] core::Error foreignError(std::uint32_t code, const char* message);

/// The arguments of an instruction in the form that a library takes them. Kept between calls, because the
/// library keeps values for them.
class ForeignArguments {
  public:
    explicit ForeignArguments(const et_inspect::Plugin& from) : plugin(from) {}
    ForeignArguments(const ForeignArguments&) = delete;
    ForeignArguments& operator=(const ForeignArguments&) = delete;
    ~ForeignArguments();

    /// Sets the call's values. `written`: arguments that the library writes. Errors: Unsupported (a size of
    /// 2^31 or more), InvalidArgument (a missing item of a list, a constant that would be written).
    [[nodiscard]] core::Result<> fill(std::span<core::Value* const> arguments, std::uint64_t written);
    /// Copies numbers that the call changed.
    void takeChanges(std::span<core::Value* const> arguments) const;

    et_inspect::Call call{};

  private:
    struct TensorList {
        std::vector<std::unique_ptr<et_inspect::TensorSlot>> slots;
        std::vector<et_inspect::TensorSlot*> items;
    };

    void makeRoom(std::size_t count);
    core::Result<> fillValue(std::size_t at, core::Value& value);
    core::Result<> fillTensors(std::size_t at, core::TensorListValue& list);

    const et_inspect::Plugin& plugin;
    std::vector<et_inspect::ValueSlot> values;
    std::vector<std::unique_ptr<et_inspect::TensorSlot>> tensors;  ///< by argument
    std::vector<std::unique_ptr<TensorList>> lists;                ///< by argument
};

}  // namespace et::executor::detail
