#pragma once

#include "app/tasks/gap/gap_run.h"

#include <QObject>

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QToolBar;

namespace et::inspector {
struct Session;
}

namespace et::studio {

/// Describes what is missing for calculating a gap; empty if nothing is.
[[nodiscard]] QString missingForGap(const inspector::Session* session);

/// Tool bar with the options of a gap: source, method, inputs, precision, bisection, tolerance.
class GapOptionsTools : public QObject {
    Q_OBJECT

  public:
    /// `bar` becomes the parent.
    explicit GapOptionsTools(QToolBar& bar);

    /// Offers the options of a session; null: none.
    void setSession(const inspector::Session* session);
    /// Requires a session from which nothing is missing.
    [[nodiscard]] tasks::GapSettings request(const inspector::Session& session) const;
    /// A request with the files only: those needed to run the program, or the trace and debug buffer.
    [[nodiscard]] static tasks::GapSettings filesOf(const inspector::Session& session, bool ofProgram);

    [[nodiscard]] QComboBox& inputs() { return *inputBox; }
    [[nodiscard]] QComboBox& precision() { return *precisionBox; }
    [[nodiscard]] QDoubleSpinBox& tolerance() { return *toleranceBox; }
    [[nodiscard]] QCheckBox& bisect() { return *bisectBox; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  private:
    void createInputs(QToolBar& bar);
    void showState();
    [[nodiscard]] bool runsProgram() const;

    QComboBox* runBox;
    QComboBox* methodBox;
    QComboBox* inputBox;
    QComboBox* precisionBox;
    QCheckBox* bisectBox;
    QDoubleSpinBox* toleranceBox;
    QAction* runAction = nullptr;
    QAction* methodAction = nullptr;
};

}  // namespace et::studio
