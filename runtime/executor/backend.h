#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/delegate_traits.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What runs the parts of a program that an exporter handed to a delegate.
namespace et::executor {

/// Blobs by name: of the program itself, then of the tensor data files that the caller gave.
class NamedDataSource {
  public:
    virtual ~NamedDataSource() = default;
    /// Lives as long as the module. Nothing where there is none.
    [[nodiscard]] virtual std::optional<core::Bytes> find(std::string_view name) const = 0;
};

/// What the delegates of one backend share within a module; the backend's own business.
class SharedState {
  public:
    virtual ~SharedState() = default;
};

/// What a backend gets to load a delegate; everything is borrowed and lives as long as the delegate.
struct DelegateSource {
    const program::Delegate& delegate;
    std::string_view method;
    const NamedDataSource& namedData;
    const kernels::ThreadPool& threads;
    /// A place for the backend, empty for the first delegate of a module; null: nothing is shared.
    std::shared_ptr<SharedState>* shared = nullptr;
    bool traced = false;  ///< somebody listens when it runs, so it had better prepare to tell
    std::uint64_t memoryBytes = std::uint64_t{8} << 30;  ///< that the values of a delegate may take together
    std::size_t delegateCount = 1;                       ///< of the method, this one among them
};

/// Bytes behind planned memory that may be read, as fast kernels do that load more than they need.
inline constexpr std::size_t readableBehind = 64;

/// What a delegate gets beside its arguments when it runs.
struct DelegateCallContext {
    core::EventTracer* tracer = nullptr;  ///< null: nothing listens
    core::TraceIds ids;                   ///< of the delegate call: its events carry them, and a delegate id
    /// Planned memory, with `readableBehind` bytes behind each. Arguments may lie elsewhere.
    std::span<const core::Bytes> plannedMemory{};
};

/// A loaded part of a method.
class LoadedDelegate {
  public:
    virtual ~LoadedDelegate() = default;

    /// Does what only running needs, such as planning memory for the largest shapes, so that a delegate that
    /// is loaded but not run does without it, and the first call takes as long as others. execute() does it
    /// where nobody did. Errors: Unsupported, Limit.
    [[nodiscard]] virtual core::Result<> prepare() { return {}; }

    /// Arguments as the instruction has them: inputs, then outputs, which it resizes and writes. Errors:
    /// InvalidArgument (a wrong count, kind, dtype or shape), Unsupported, Limit.
    [[nodiscard]] virtual core::Result<> execute(const DelegateCallContext& context,
                                                 std::span<core::Value* const> arguments) = 0;

    /// Weights in another form that it keeps, without what other delegates packed before, in bytes.
    [[nodiscard]] virtual std::uint64_t packedBytes() const { return 0; }

    /// Memory for what it computes in between, in bytes. Where delegates of a module share theirs, it is what
    /// this one added, so that the sum is what all of them hold.
    [[nodiscard]] virtual std::uint64_t workspaceBytes() const { return 0; }
};

/// Runs the delegates of one name. Immutable and shared by all modules.
class Backend {
  public:
    virtual ~Backend() = default;
    /// As programs spell it: "VulkanBackend".
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Errors: Format (a damaged payload), Unsupported, NotFound (data that the payload names), Limit.
    [[nodiscard]] virtual core::Result<std::unique_ptr<LoadedDelegate>> load(
        const DelegateSource& source) const = 0;
    /// What a process does once before it loads the first delegate, such as looking at its processor. load()
    /// does it where nobody did.
    virtual void prepareProcess() const {}
    /// Which nodes of describe()'s graph, as indices, each operator of a call computes, of which traces have
    /// but the names: all of them, in the order in which they ran, as this or another runtime traced them.
    /// Nothing: not known.
    [[nodiscard]] virtual std::vector<std::optional<std::vector<std::size_t>>> nodesOf(
        [[maybe_unused]] const program::Delegate& delegate,
        std::span<const std::string_view> operators) const {
        return std::vector<std::optional<std::vector<std::size_t>>>(operators.size());
    }
    /// What the names of its operators say in traces.
    [[nodiscard]] virtual const TraceTraits& traceTraits() const {
        static constexpr TraceTraits none;
        return none;
    }
    /// Whether a trace names an operator of this backend so, by the form of the name alone.
    [[nodiscard]] bool recognizes(std::string_view tracedOperator) const {
        const auto isOperator = traceTraits().isOperator;
        return isOperator != nullptr && isOperator(tracedOperator);
    }
    /// What shows that operators that a trace names, all of one call in the order in which they ran, are not
    /// of this delegate, for people: "ran 3 convolutions, where the delegate has 2". Nothing: they may be
    /// its, or it is unknown.
    [[nodiscard]] virtual std::optional<std::string> contradiction(
        [[maybe_unused]] const program::Delegate& delegate,
        [[maybe_unused]] std::span<const std::string_view> operators) const {
        return std::nullopt;
    }
    /// The values inside of a delegate, whose arguments lie in these orders; an empty order: not known, or no
    /// tensor. None where the backend cannot tell. Errors: as load().
    [[nodiscard]] virtual core::Result<std::vector<InnerValue>> innerValues(
        [[maybe_unused]] const program::Delegate& delegate,
        [[maybe_unused]] std::span<const DimensionOrder> arguments) const {
        return std::vector<InnerValue>();
    }
    /// What is inside of a delegate, without running it and without what a run needs. Errors: as load();
    /// Unsupported (this backend cannot tell, which is the default).
    [[nodiscard]] virtual core::Result<core::ModelGraph> describe(const program::Delegate& delegate,
                                                                  const NamedDataSource& namedData) const {
        static_cast<void>(delegate);
        static_cast<void>(namedData);
        return core::fail(core::ErrorCode::Unsupported,
                          std::string(name()) + " does not tell what is inside of its delegates");
    }
};

/// The backend of a name; null where none is.
[[nodiscard]] inline const Backend* findBackend(std::span<const Backend* const> backends,
                                                std::string_view name) {
    for (const Backend* backend : backends) {
        if (backend->name() == name) {
            return backend;
        }
    }
    return nullptr;
}

}  // namespace et::executor
