// The declarations of all fields of scene files, for keyword arguments, documentation and type stubs.
#include "reeve/scene/fields.h"
#include "convert.h"

namespace reeve::python {

void addFields(py::module_& m) {
  m.def(
      "fields",
      [] {
        py::dict records;
        for (const scene::DocumentedRecord& documented : scene::allRecords()) {
          const scene::Record& record = *documented.record;
          py::list fields;
          for (const scene::Field& f : record.fields) {
            if (f.key == "$schema" || f.implied) continue;
            std::string about(f.about);
            if (!f.spec.range.words.empty()) about += "; " + std::string(f.spec.range.words);
            if (record.kind.get && f.kinds != ~0u) about += " (" + record.kindNames(f.kinds) + ")";
            fields.append(py::make_tuple(std::string(f.key), f.form->words(f.spec), about, f.needed == ~0u));
          }
          records[py::str(std::string(record.name))] = py::make_tuple(std::string(record.about), fields);
        }
        return records;
      },
      "For every record of a scene file what it is and its fields: key, value, meaning, whether it is required.");
}

}  // namespace reeve::python
