#pragma once

#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <memory>
#include <string_view>

namespace et::tasks {

/// A method of a program, loaded with everything it needs.
struct ProgramPiece {
    std::shared_ptr<const program::Program> program;
    std::unique_ptr<executor::Module> module;
    executor::Method* method = nullptr;

    /// `model`: its data, kernels and plugins are used. Errors: those of Module::load(), with the program's
    /// name.
    [[nodiscard]] static core::Result<ProgramPiece> load(const Model& model,
                                                         std::shared_ptr<const program::Program> program,
                                                         std::string_view method, core::EventTracer* tracer);

    /// Errors: those of InputSet::give() and of executor::Method::execute(), with the program's name.
    [[nodiscard]] core::Result<> execute(const InputSet& inputs) const;
};

}  // namespace et::tasks
