#pragma once

#include "app/python/loaded_program.h"
#include "app/python/run_tracer.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace et::python {

/// A tracer that hears what a method does, until it is stopped; not for what runs already. One a method.
class Listening {
  public:
    /// Raises ArgumentError where the method has one already. `listener` outlives it.
    Listening(std::shared_ptr<LoadedMethod> method, core::EventTracer& listener, RunTracer::Choice choice);
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening();

    /// The method goes on as before. Waits for what runs.
    void stop();
    [[nodiscard]] const std::shared_ptr<LoadedMethod>& method() const { return of; }

  private:
    void silence();

    std::shared_ptr<LoadedMethod> of;
    RunTracer* tracer;  ///< null: stopped
};

/// What listens to a method: the classes `Recording` and `ValueTaps`.
void bindListening(nanobind::module_& module);

}  // namespace et::python
