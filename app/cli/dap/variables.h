#pragma once

#include "app/cli/dap/debuggee.h"
#include "app/cli/dap/outbox.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli::dap {

/// Values at the current point, as variables that expand to statistics, slices and elements.
class Variables {
  public:
    explicit Variables(Debuggee& of) : debuggee(of) {}

    // Handlers of requests. Errors: InvalidArgument (an expired reference), those of Debuggee::ask().
    [[nodiscard]] core::Result<Dict> scopes(const Request& request);
    [[nodiscard]] core::Result<Dict> variables(const Request& request);
    [[nodiscard]] core::Result<Dict> setVariable(const Request& request);
    [[nodiscard]] core::Result<Dict> setExpression(const Request& request);
    [[nodiscard]] core::Result<Dict> evaluate(const Request& request);
    [[nodiscard]] core::Result<Dict> dataBreakpointInfo(const Request& request);

  private:
    /// A tensor, or its part at fixed leading indices.
    struct Part {
        std::string expression;  ///< "%12"
        std::vector<std::int64_t> sizes;
        std::vector<std::int64_t> indices;

        [[nodiscard]] std::string slice(std::string_view last) const;
        [[nodiscard]] std::int64_t count() const { return sizes[indices.size()]; }
        [[nodiscard]] bool isRow() const { return indices.size() + 1 == sizes.size(); }
    };
    /// A range of children.
    struct Range {
        std::int64_t first = 0;
        std::int64_t count = 0;
    };

    void forgetIfChanged();
    /// A variable for a value that the engine described.
    [[nodiscard]] Dict variable(std::string name, const JsonValue& value);
    [[nodiscard]] core::Result<List> scopeValues(std::int64_t reference);
    [[nodiscard]] core::Result<List> arguments();
    [[nodiscard]] core::Result<List> memory();
    [[nodiscard]] core::Result<List> statistics(const Part& part);
    [[nodiscard]] core::Result<List> elements(const Part& part, Range range);
    [[nodiscard]] core::Result<std::string> expressionOf(const Request& request);
    [[nodiscard]] core::Result<Dict> set(const std::string& expression, const Request& request);
    [[nodiscard]] std::int64_t addPart(Part part);

    Debuggee& debuggee;
    std::uint64_t version = 0;
    std::vector<Part> parts;                                                  ///< by reference
    std::map<std::pair<std::int64_t, std::string>, std::string> expressions;  ///< by reference and name
};

}  // namespace et::cli::dap
