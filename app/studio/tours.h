#pragma once

#include <QFrame>
#include <QString>

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

class QLabel;
class QPushButton;

namespace et::studio {

/// A perspective with an explanation.
struct TourStep {
    const char* perspective;
    const char* text;  ///< untranslated
};

/// Answers a common question in a few steps; the last one refers to the user's own model.
struct Tour {
    const char* title;  ///< untranslated
    std::vector<TourStep> steps;

    [[nodiscard]] QString titleText() const;
};
[[nodiscard]] std::span<const Tour> tours();

/// A line above the panels that guides through a tour.
class TourBar : public QFrame {
    Q_OBJECT

  public:
    /// `go` switches to a perspective.
    TourBar(std::function<void(std::string_view)> go, QWidget* parent);

    void start(std::size_t tour);
    void stop();

  private:
    void step(int by);

    std::function<void(std::string_view)> show;
    const Tour* current = nullptr;
    std::size_t at = 0;
    QLabel* text;
    QPushButton* back;
    QPushButton* next;
};

}  // namespace et::studio
