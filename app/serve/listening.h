#pragma once

#include "app/serve/loaded_program.h"
#include "app/serve/run_tracer.h"

#include <memory>

namespace et::serve {

/// Attaches a tracer to a method until it is stopped; does not affect a running execution. At most one per
/// method.
class Listening {
  public:
    /// Throws ArgumentError if the method already has one. `listener` must outlive this object.
    Listening(std::shared_ptr<LoadedMethod> method, core::EventTracer& listener, RunTracer::Choice choice);
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening();

    /// Detaches the tracer, after waiting for a running execution.
    void stop();
    [[nodiscard]] const std::shared_ptr<LoadedMethod>& method() const { return of; }

  private:
    void silence();

    std::shared_ptr<LoadedMethod> of;
    RunTracer* tracer;  ///< null: stopped
};

}  // namespace et::serve
