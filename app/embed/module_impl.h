#pragma once

#include "app/embed/kernel_table.h"
#include "etdump/recorder.h"
#include "runtime/core/event_tracer.h"
#include "runtime/executor/method.h"
#include "runtime/executor/plugin.h"
#include "runtime/kernels/registry.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <et_inspect/module.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et_inspect {
namespace detail {

/// Records the loading of methods with the current recorder, which may change or end.
class LoadTracer final : public et::core::EventTracer {
  public:
    et::core::EventTracer* target = nullptr;  ///< null: nothing is recorded

    [[nodiscard]] et::core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view blockName) override;
    void endRun() override;
    void profile(et::core::TraceName event, const et::core::TraceIds& ids, std::uint64_t start,
                 std::uint64_t end, et::core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view text) override;
    void allocation(std::uint32_t allocatorId, std::uint64_t bytes) override;
    [[nodiscard]] et::core::DebugLevel debugLevel() const override;
};

/// Memory of the caller for planned tensors.
class CallerMemory final : public et::executor::PlannedMemory {
  public:
    explicit CallerMemory(ArenaSource given) : source(std::move(given)) {}
    [[nodiscard]] std::span<std::byte> take(std::string_view method, std::size_t arena,
                                            std::uint64_t bytes) override {
        return source(method, arena, bytes);
    }

  private:
    ArenaSource source;
};

/// A loaded method with the values that the caller has set.
struct LoadedMethod {
    et::executor::Method* method = nullptr;
    std::vector<std::optional<Value>> inputs;
    std::vector<std::optional<Tensor>> copies;  ///< receive outputs that the program plans
};

}  // namespace detail

struct Module::Impl {
    Impl(Source from, std::vector<Source> data, ModuleOptions given)
        : source(std::move(from)), weights(std::move(data)), options(std::move(given)) {}

    et::core::Result<> open();
    /// Loads the method and the program, once.
    et::core::Result<detail::LoadedMethod*> load(std::string_view name);
    et::core::Result<> setInput(detail::LoadedMethod& loaded, std::size_t index, Value value);
    et::core::Result<> giveInputs(detail::LoadedMethod& loaded);
    et::core::Result<> setOutput(detail::LoadedMethod& loaded, std::size_t index, const Tensor& tensor);
    et::core::Result<> run(std::string_view name, std::vector<Value> inputs);
    void setTracer(et::core::EventTracer* tracer);
    /// The error with the program's name.
    et::core::Error inProgram(et::core::Error error) const;

    Source source;
    std::vector<Source> weights;
    ModuleOptions options;
    std::atomic<bool> cancelled = false;

    // In the order of dependencies, so that they are destroyed in the reverse.
    std::vector<et::executor::Plugin> plugins;
    std::unique_ptr<detail::KernelTable> ownKernels;
    et::kernels::KernelRegistry kernels;
    std::vector<const et::executor::Backend*> backends;
    std::optional<et::kernels::ThreadPool> threads;
    std::optional<detail::CallerMemory> memory;
    std::shared_ptr<const et::program::Program> program;
    std::vector<std::shared_ptr<const et::program::TensorData>> tensorData;
    std::vector<std::unique_ptr<et::etdump::Recorder>> finished;  ///< delegates hold their addresses
    std::unique_ptr<et::etdump::Recorder> recorder;
    detail::LoadTracer loadTracer;
    std::optional<et::executor::Module> module;
    std::vector<std::pair<std::string, std::unique_ptr<detail::LoadedMethod>>> methods;
    bool isTracing = false;
};

}  // namespace et_inspect
