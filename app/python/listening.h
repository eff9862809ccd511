#pragma once

#include "app/python/loaded_program.h"
#include "app/python/run_tracer.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace et::python {

/// Attaches a tracer to a method until it is stopped; does not affect a running execution. At most one per
/// method.
class Listening {
  public:
    /// Raises ArgumentError if the method already has one. `listener` must outlive this object.
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

/// Binds the classes `Recording` and `ValueTaps`, which listen to a method.
void bindListening(nanobind::module_& module);

}  // namespace et::python
