#include "app/tasks/lab/case_runs.h"

#include "runtime/kernels/thread_pool.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace et::tasks {

using backends::reference::Interpreter;
using core::Result;

Result<std::vector<CaseOutputs>> runCases(const etrecord::Record& record, const std::string& method,
                                          std::span<const CalibrationCase> cases,
                                          const backends::reference::InterpreterOptions& options,
                                          std::size_t threads) {
    // Created per call, which takes far longer, so that processes can be forked between calls.
    const kernels::ThreadPool workers(threads);
    const std::size_t count = cases.size();
    const std::size_t parts = std::min(workers.threads(), count);
    std::vector<std::unique_ptr<Interpreter>> interpreters;
    for (std::size_t i = 0; i < parts; ++i) {
        ET_ASSIGN(auto interpreter, Interpreter::edge(record, method, options));
        interpreters.push_back(std::move(interpreter));
    }
    std::vector<CaseOutputs> outputs(count);
    std::vector<Result<>> ends(parts);
    const auto runPart = [&](std::size_t part) -> Result<> {
        for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i) {
            ET_ASSIGN(outputs[i], interpreters[part]->run(cases[i]));
        }
        return {};
    };
    workers.parallelFor(parts, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            ends[part] = runPart(part);
        }
    });
    for (Result<>& each : ends) {
        ET_TRY(std::move(each));
    }
    return outputs;
}

}  // namespace et::tasks
