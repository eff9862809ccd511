#pragma once

#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/library/library_runtime.h"
#include "runtime/core/value.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/module_data.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/program.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::benchmarks {

namespace xnnpack = backends::xnnpack;

/// A delegate's graph, run by the library alone. Instances of one program share memory, as its delegates do.
class LibraryAlone {
  public:
    static std::unique_ptr<LibraryAlone> make(const program::Program& program, core::Bytes bytes,
                                              const kernels::ThreadPool& threads,
                                              const std::shared_ptr<xnnpack::SharedMemory>& shared) {
        constexpr std::uint64_t most = std::uint64_t{1} << 32U;
        auto payload = xnnpack::readPayload(bytes);
        if (!payload) {
            return nullptr;
        }
        std::unique_ptr<LibraryAlone> made(new LibraryAlone(*std::move(payload)));
        auto constants = xnnpack::ConstantData::find(made->payload, executor::ModuleData(program, {}));
        xnnpack::Shapes shapes = xnnpack::exportedShapes(made->payload);
        if (!constants || !xnnpack::followShapes(made->payload, shapes, most)) {
            return nullptr;
        }
        made->constants.emplace(*std::move(constants));
        made->constants->widen(made->payload, false);
        auto runtime =
            xnnpack::LibraryRuntime::make(made->payload, *made->constants, shapes, shared, threads, {}, most);
        if (!runtime || !runtime->reshape(made->payload, shapes)) {
            return nullptr;
        }
        made->runtime.emplace(*std::move(runtime));
        for (const xnnpack::ValueIndex external : made->payload.externals) {
            std::size_t bytesOf = sizeof(double);  // at least the size of any element
            for (const std::size_t size : shapes[external]) {
                bytesOf *= size;
            }
            constexpr std::size_t readBehind = 256;
            made->memory.emplace_back(bytesOf + readBehind);
            made->addresses.push_back(made->memory.back().data());
        }
        return made;
    }

    /// Uses the memory of a call's arguments where possible, so that both sides find the same data in the
    /// caches.
    void readAndWrite(std::span<core::Value* const> arguments) {
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            const xnnpack::PayloadValue& value = payload.value(payload.externals[i]);
            const auto* const tensor = arguments[value.externalId.value_or(0)]->as<core::Tensor>();
            if (tensor != nullptr && tensor->dtype() != core::ScalarType::Long) {
                addresses[i] = tensor->raw();
            }
        }
    }

    bool run() { return runtime->run(addresses).has_value(); }

  private:
    explicit LibraryAlone(xnnpack::Payload of) : payload(std::move(of)) {}

    xnnpack::Payload payload;
    std::optional<xnnpack::ConstantData> constants;
    std::optional<xnnpack::LibraryRuntime> runtime;
    std::vector<std::vector<std::byte>> memory;
    std::vector<void*> addresses;
};

/// Wraps XNNPACK's backend and records the delegates' calls, so that they can be repeated without running the
/// program.
class RecordingBackend final : public executor::Backend {
  public:
    explicit RecordingBackend(const executor::Backend& real) : backend(real) {}

    [[nodiscard]] std::string_view name() const override { return backend.name(); }
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override {
        return backend.load(source).transform([this](std::unique_ptr<executor::LoadedDelegate> loaded) {
            return std::unique_ptr<executor::LoadedDelegate>(
                std::make_unique<RecordingDelegate>(std::move(loaded), calls));
        });
    }

    [[nodiscard]] std::span<core::Value* const> arguments(std::size_t call) const {
        return calls[call].arguments;
    }
    void forget() const { calls.clear(); }
    /// Repeats all recorded calls in order. Returns false if one fails.
    [[nodiscard]] bool callAll() const {
        return std::ranges::all_of(calls, [](const Call& call) {
            return call.delegate->execute(call.context, call.arguments).has_value();
        });
    }

  private:
    struct Call {
        executor::LoadedDelegate* delegate = nullptr;
        executor::DelegateCallContext context;
        std::span<core::Value* const> arguments;
    };

    class RecordingDelegate final : public executor::LoadedDelegate {
      public:
        RecordingDelegate(std::unique_ptr<executor::LoadedDelegate> real, std::vector<Call>& into)
            : delegate(std::move(real)), calls(into) {}

        [[nodiscard]] core::Result<> prepare() override { return delegate->prepare(); }
        [[nodiscard]] core::Result<> execute(const executor::DelegateCallContext& context,
                                             std::span<core::Value* const> arguments) override {
            calls.push_back({.delegate = delegate.get(), .context = context, .arguments = arguments});
            return delegate->execute(context, arguments);
        }

      private:
        std::unique_ptr<executor::LoadedDelegate> delegate;
        std::vector<Call>& calls;
    };

    const executor::Backend& backend;
    mutable std::vector<Call> calls;  ///< mutable: backends are shared as const
};

}  // namespace et::benchmarks
