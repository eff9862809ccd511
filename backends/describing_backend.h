#pragma once

#include "runtime/executor/backend.h"

#include <memory>
#include <string_view>

namespace et::backends {

/// A backend whose delegates cannot run on this machine, but whose payload format is documented.
class DescribingBackend final : public executor::Backend {
  public:
    /// Describes the content of a payload. Errors: those of executor::Backend::describe().
    using Describe = core::Result<core::ModelGraph> (*)(core::Bytes payload,
                                                        const executor::NamedDataSource& namedData);

    DescribingBackend(std::string_view backend, Describe how, const executor::TraceConventions& traced = {})
        : id(backend), describePayload(how), traits(traced) {}

    [[nodiscard]] std::string_view name() const override { return id; }
    /// Always Unsupported.
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override;
    [[nodiscard]] core::Result<core::ModelGraph> describe(
        const program::Delegate& delegate, const executor::NamedDataSource& namedData) const override {
        return describePayload(delegate.payload, namedData);
    }

    [[nodiscard]] const executor::TraceConventions& traceConventions() const override { return traits; }

  private:
    std::string_view id;
    Describe describePayload;
    executor::TraceConventions traits;
};

}  // namespace et::backends
