#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace et::python {

/// A numpy array of objects that is filled in place: without a list beside it, and without asking Python for
/// each element.
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

/// Python's objects for texts that live as long as this, one for all rows that have the same one.
class SharedTexts {
  public:
    /// text() of it.
    [[nodiscard]] nanobind::object of(std::string_view bytes);

  private:
    struct Known {
        std::string_view bytes{};
        nanobind::object text;
    };
    std::array<Known, 1024> known;  ///< by place in memory; a later one takes the place of an earlier
};

}  // namespace et::python
