#pragma once

#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/kernels/registry.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::reference {

/// Marks the event of an interpreted delegate in its delegate id, since its time is not the device's.
inline constexpr std::string_view interpretedMark = "interpreted";

/// Converts the payload of a delegate to a record with one method. The arguments of a delegate call are the
/// user inputs of its graph, in the order of `inputSpecs`, then its user outputs, in the order of
/// `outputSpecs`. Buffers that it mutates keep their values between calls. The record may borrow the payload
/// and the named data. Errors: Format (a damaged payload), NotFound (named data), Unsupported.
using PayloadReader = core::Result<std::shared_ptr<const etrecord::Record>> (*)(
    const program::Delegate& delegate, const executor::NamedDataSource& namedData);

/// Describes the values inside a delegate, see executor::Backend::innerValues().
using InnerValuesReader =
    core::Result<std::vector<executor::InnerValue>> (*)(const program::Delegate& delegate);

/// A backend's functions for its payloads.
struct PayloadReaders {
    PayloadReader read = nullptr;
    InnerValuesReader innerValues = nullptr;  ///< null: values have the graph's order of dimensions
};

/// Runs delegates whose payloads contain their complete graph, with the reference operators. Needs no
/// ETRecord.
class InterpretedBackend final : public executor::Backend {
  public:
    /// `describer` has the same name and describes the payloads. It and `registry` must outlive the backend.
    InterpretedBackend(const executor::Backend& describer, const PayloadReaders& functions,
                       const kernels::KernelRegistry& registry)
        : described(describer), readers(functions), kernels(registry) {}

    [[nodiscard]] std::string_view name() const override { return described.name(); }
    /// Errors: those of the reader and of Interpreter::edge().
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override;
    [[nodiscard]] std::vector<std::optional<std::vector<std::size_t>>> nodesOf(
        const program::Delegate& delegate, std::span<const std::string_view> operators) const override {
        return described.nodesOf(delegate, operators);
    }
    [[nodiscard]] const executor::TraceConventions& traceConventions() const override {
        return described.traceConventions();
    }
    [[nodiscard]] core::Result<std::vector<executor::InnerValue>> innerValues(
        const program::Delegate& delegate,
        std::span<const executor::DimensionOrder> /*arguments*/) const override {
        return readers.innerValues == nullptr ? core::Result<std::vector<executor::InnerValue>>()
                                              : readers.innerValues(delegate);
    }
    [[nodiscard]] core::Result<std::vector<core::KvCacheLayer>> hostCaches(
        const program::Delegate& delegate, const executor::NamedDataSource& namedData) const override {
        return described.hostCaches(delegate, namedData);
    }
    [[nodiscard]] core::Result<core::ModelGraph> describe(
        const program::Delegate& delegate, const executor::NamedDataSource& namedData) const override {
        return described.describe(delegate, namedData);
    }

    /// Converts a payload without loading it. Errors: those of the reader.
    [[nodiscard]] core::Result<> check(const program::Delegate& delegate,
                                       const executor::NamedDataSource& namedData) const {
        return readers.read(delegate, namedData).transform([](const auto&) {});
    }

  private:
    const executor::Backend& described;
    PayloadReaders readers;
    const kernels::KernelRegistry& kernels;
};

}  // namespace et::backends::reference
