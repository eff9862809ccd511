#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/graph.h"
#include "runtime/core/kv_cache.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/delegate_description.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

namespace et::kernels {
class KvCaches;
}

// Interface of backends, which run the delegates of a program.
namespace et::executor {

/// Looks up blobs by name: in the program itself, then in the tensor data files given by the caller.
class NamedDataSource {
  public:
    virtual ~NamedDataSource() = default;
    /// The data live as long as the module. Nothing if there are none.
    [[nodiscard]] virtual std::optional<core::Bytes> find(std::string_view name) const = 0;
};

/// State shared by the delegates of one backend within a module, defined by the backend.
class SharedState {
  public:
    virtual ~SharedState() = default;
};

/// An option of a backend, named and typed as ExecuTorch's.
struct BackendOption {
    std::string backend;  ///< name of the backend
    std::string key;
    std::variant<bool, int, std::string> value;
};

/// Inputs for loading a delegate; all borrowed for the lifetime of the delegate.
struct DelegateSource {
    const program::Delegate& delegate;
    std::string_view method;
    const NamedDataSource& namedData;
    const kernels::ThreadPool& threads;
    /// Pointer that the backend may set, empty for the first delegate of a module; null: no sharing.
    std::shared_ptr<SharedState>* shared = nullptr;
    bool traced = false;  ///< whether it will be traced and should prepare for it
    std::uint64_t memoryBytes = std::uint64_t{8} << 30;  ///< limit for all values of a delegate together
    kernels::KvCaches* caches = nullptr;  ///< of the module, for kvcache::update_and_attend; null: none
    std::span<const BackendOption> options = {};  ///< of all backends
};

/// Number of bytes after planned memory that may be read, for fast kernels that load more than they need.
inline constexpr std::size_t readableBehind = 64;

/// Context of a delegate call, in addition to its arguments.
struct DelegateCallContext {
    core::EventTracer* tracer = nullptr;  ///< null: not traced
    core::TraceIds ids;  ///< of the delegate call; its events use them with an additional delegate id
    /// Planned memory, with `readableBehind` readable bytes after each. Arguments may be outside it.
    std::span<const core::Bytes> plannedMemory{};
};

/// State of a delegate between calls on which its results depend; defined by the backend.
class DelegateState {
  public:
    virtual ~DelegateState() = default;
    /// As Snapshot::countBytes().
    [[nodiscard]] virtual std::uint64_t countBytes(std::unordered_set<const void*>& counted) const = 0;
};

/// A loaded delegate.
class LoadedDelegate {
  public:
    virtual ~LoadedDelegate() = default;

    /// Does the work required only for execution, such as planning memory for the largest shapes. It is
    /// separate from loading so that delegates that are not run avoid it and the first call is as fast as
    /// later ones. execute() does it if necessary. Errors: Unsupported, Limit.
    [[nodiscard]] virtual core::Result<> prepare() { return {}; }

    /// `arguments` are those of the instruction: inputs, then outputs, which are resized and written. Errors:
    /// InvalidArgument (a wrong count, kind, dtype or shape), Unsupported, Limit.
    [[nodiscard]] virtual core::Result<> execute(const DelegateCallContext& context,
                                                 std::span<core::Value* const> arguments) = 0;

    /// Copies the state that later results depend on; null (the default) if the delegate is stateless.
    /// `previous` is an earlier copy by this delegate, or null.
    [[nodiscard]] virtual core::Result<std::shared_ptr<const DelegateState>> saveState(
        [[maybe_unused]] const DelegateState* previous) {
        return nullptr;
    }
    /// Restores a state that this delegate saved.
    [[nodiscard]] virtual core::Result<> restoreState(const DelegateState& /*state*/) { return {}; }

    /// Size in bytes of its packed weights, excluding those packed by other delegates before.
    [[nodiscard]] virtual std::uint64_t packedBytes() const { return 0; }

    /// Size in bytes of memory for intermediate values. If delegates of a module share it, this is the amount
    /// added by this one, so that the sum is the total.
    [[nodiscard]] virtual std::uint64_t workspaceBytes() const { return 0; }
};

/// Runs the delegates with a given name. Immutable and shared by all modules.
class Backend {
  public:
    virtual ~Backend() = default;
    /// As spelled in programs: "VulkanBackend".
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Errors: Format (a damaged payload), Unsupported, NotFound (named data that the payload refers to),
    /// Limit.
    [[nodiscard]] virtual core::Result<std::unique_ptr<LoadedDelegate>> load(
        const DelegateSource& source) const = 0;
    /// One-time initialization of a process before loading the first delegate, such as detecting processor
    /// features. load() does it if necessary.
    virtual void prepareProcess() const {}
    /// Maps the operators of a call, of which traces contain only the names, to indices of nodes in
    /// describe()'s graph. `operators` are all operators of the call in execution order, as traced by this or
    /// another runtime. Nothing: unknown.
    [[nodiscard]] virtual std::vector<std::optional<std::vector<std::size_t>>> nodesOf(
        [[maybe_unused]] const program::Delegate& delegate,
        std::span<const std::string_view> operators) const {
        return std::vector<std::optional<std::vector<std::size_t>>>(operators.size());
    }
    /// Interpretation of its operators' names in traces.
    [[nodiscard]] virtual const TraceConventions& traceConventions() const {
        static constexpr TraceConventions none;
        return none;
    }
    /// Whether a traced name has the form of this backend's operator names.
    [[nodiscard]] bool recognizes(std::string_view tracedOperator) const {
        const auto isOperator = traceConventions().isOperator;
        return isOperator != nullptr && isOperator(tracedOperator);
    }
    /// Evidence that traced operators, all of one call in execution order, do not belong to this delegate,
    /// for messages: "ran 3 convolutions, where the delegate has 2". Nothing if they may belong to it, or if
    /// this is unknown.
    [[nodiscard]] virtual std::optional<std::string> contradiction(
        [[maybe_unused]] const program::Delegate& delegate,
        [[maybe_unused]] std::span<const std::string_view> operators) const {
        return std::nullopt;
    }
    /// The values inside a delegate whose arguments have these dimension orders; an empty order: unknown, or
    /// not a tensor. Empty if the backend cannot tell. Errors: as load().
    [[nodiscard]] virtual core::Result<std::vector<InnerValue>> innerValues(
        [[maybe_unused]] const program::Delegate& delegate,
        [[maybe_unused]] std::span<const DimensionOrder> arguments) const {
        return std::vector<InnerValue>();
    }
    /// Layers of KV caches that the delegate expects its host to keep, in execution order; several may name
    /// the same layer. Errors: as load().
    [[nodiscard]] virtual core::Result<std::vector<core::KvCacheLayer>> hostCaches(
        [[maybe_unused]] const program::Delegate& delegate,
        [[maybe_unused]] const NamedDataSource& namedData) const {
        return std::vector<core::KvCacheLayer>();
    }
    /// Describes the contents of a delegate, without running it or preparing for a run. Errors: as load();
    /// Unsupported (not implemented by this backend, which is the default).
    [[nodiscard]] virtual core::Result<core::ModelGraph> describe(const program::Delegate& delegate,
                                                                  const NamedDataSource& namedData) const {
        static_cast<void>(delegate);
        static_cast<void>(namedData);
        return core::fail(core::ErrorCode::Unsupported,
                          std::string(name()) + " does not report the content of its delegates");
    }
};

/// The backend with that name; null if there is none.
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
