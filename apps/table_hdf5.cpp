// A module of `reeve study --hdf5`, loaded only there: a table of columns as an HDF5 file, a dataset for each column.
#include <hdf5.h>

#include <vector>

namespace {

bool writeDataset(hid_t file, const char* name, hid_t type, hsize_t rows, const void* values) {
  const hid_t space = H5Screate_simple(1, &rows, nullptr);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const bool done = set >= 0 && (rows == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  return done;
}

}  // namespace

extern "C" {

/// A new file; negative if it cannot be made.
__attribute__((visibility("default"))) long long reeve_hdf5_open(const char* path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

__attribute__((visibility("default"))) int reeve_hdf5_numbers(long long file, const char* name, int rows,
                                                              const double* values) {
  return writeDataset(file, name, H5T_NATIVE_DOUBLE, static_cast<hsize_t>(rows), values) ? 0 : 1;
}

__attribute__((visibility("default"))) int reeve_hdf5_texts(long long file, const char* name, int rows,
                                                            const char* const* values) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const bool done = writeDataset(file, name, type, static_cast<hsize_t>(rows), values);
  H5Tclose(type);
  return done ? 0 : 1;
}

__attribute__((visibility("default"))) int reeve_hdf5_close(long long file) { return H5Fclose(file) >= 0 ? 0 : 1; }
}
