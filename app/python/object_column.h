#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace et::python {

/// A numpy array of objects that is filled in place, without an intermediate list or a Python call per
/// element.
class ObjectColumn {
  public:
    explicit ObjectColumn(std::size_t length);
    ObjectColumn(const ObjectColumn&) = delete;
    ObjectColumn& operator=(const ObjectColumn&) = delete;
    ~ObjectColumn();

    /// `row` must be below the length.
    void set(std::size_t row, nanobind::object cell) {
        PyObject*& element = static_cast<PyObject**>(view.buf)[row];
        PyObject* const before = std::exchange(element, cell.release().ptr());
        Py_XDECREF(before);
    }
    [[nodiscard]] nanobind::object array() const { return held; }

  private:
    nanobind::object held;
    Py_buffer view{};
};

/// Python objects for texts, one per distinct text. The texts must outlive this object.
class SharedTexts {
  public:
    /// Returns text() of `bytes`.
    [[nodiscard]] nanobind::object of(std::string_view bytes);

  private:
    struct Known {
        std::string_view bytes{};
        nanobind::object text;
    };
    std::array<Known, 1024> known;  ///< cache indexed by address; later entries replace earlier ones
};

}  // namespace et::python
