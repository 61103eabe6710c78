//! Z3's C functions, looked up by name in a library that is found at run time.

use super::super::{Abilities, Description};
use libloading::Library as SharedObject;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opaque objects of Z3.
pub(super) type Object = *mut c_void;
pub(super) type ErrorHandler = extern "C" fn(Object, c_int);

macro_rules! functions {
    ($($field:ident = $name:literal : fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions that are used; all exist from Z3 4.8 on.
        pub struct Functions {
            $(pub $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }
        impl Functions {
            /// # Safety
            /// The library must be Z3, whose functions have these signatures.
            unsafe fn load(library: &SharedObject) -> Result<Functions, libloading::Error> {
                unsafe {
                    Ok(Functions { $($field: *library.get(concat!($name, "\0").as_bytes())?,)* })
                }
            }
        }
    };
}

functions! {
    version = "Z3_get_full_version": fn() -> *const c_char;
    mk_config = "Z3_mk_config": fn() -> Object;
    del_config = "Z3_del_config": fn(Object);
    mk_context = "Z3_mk_context": fn(Object) -> Object;
    del_context = "Z3_del_context": fn(Object);
    set_error_handler = "Z3_set_error_handler": fn(Object, ErrorHandler);
    get_error_code = "Z3_get_error_code": fn(Object) -> c_int;
    get_error_msg = "Z3_get_error_msg": fn(Object, c_int) -> *const c_char;
    interrupt = "Z3_interrupt": fn(Object);
    mk_solver = "Z3_mk_solver": fn(Object) -> Object;
    solver_inc_ref = "Z3_solver_inc_ref": fn(Object, Object);
    solver_dec_ref = "Z3_solver_dec_ref": fn(Object, Object);
    solver_set_params = "Z3_solver_set_params": fn(Object, Object, Object);
    solver_push = "Z3_solver_push": fn(Object, Object);
    solver_pop = "Z3_solver_pop": fn(Object, Object, c_uint);
    solver_assert_and_track = "Z3_solver_assert_and_track": fn(Object, Object, Object, Object);
    solver_check = "Z3_solver_check": fn(Object, Object) -> c_int;
    solver_get_model = "Z3_solver_get_model": fn(Object, Object) -> Object;
    solver_get_unsat_core = "Z3_solver_get_unsat_core": fn(Object, Object) -> Object;
    solver_get_reason_unknown = "Z3_solver_get_reason_unknown": fn(Object, Object) -> *const c_char;
    ast_vector_inc_ref = "Z3_ast_vector_inc_ref": fn(Object, Object);
    ast_vector_dec_ref = "Z3_ast_vector_dec_ref": fn(Object, Object);
    ast_vector_size = "Z3_ast_vector_size": fn(Object, Object) -> c_uint;
    ast_vector_get = "Z3_ast_vector_get": fn(Object, Object, c_uint) -> Object;
    model_inc_ref = "Z3_model_inc_ref": fn(Object, Object);
    model_dec_ref = "Z3_model_dec_ref": fn(Object, Object);
    model_eval = "Z3_model_eval": fn(Object, Object, Object, bool, *mut Object) -> bool;
    get_numeral_string = "Z3_get_numeral_string": fn(Object, Object) -> *const c_char;
    get_bool_value = "Z3_get_bool_value": fn(Object, Object) -> c_int;
    get_ast_kind = "Z3_get_ast_kind": fn(Object, Object) -> c_int;
    mk_params = "Z3_mk_params": fn(Object) -> Object;
    params_inc_ref = "Z3_params_inc_ref": fn(Object, Object);
    params_dec_ref = "Z3_params_dec_ref": fn(Object, Object);
    params_set_uint = "Z3_params_set_uint": fn(Object, Object, Object, c_uint);
    mk_string_symbol = "Z3_mk_string_symbol": fn(Object, *const c_char) -> Object;
    mk_int_symbol = "Z3_mk_int_symbol": fn(Object, c_int) -> Object;
    mk_int_sort = "Z3_mk_int_sort": fn(Object) -> Object;
    mk_add = "Z3_mk_add": fn(Object, c_uint, *const Object) -> Object;
    mk_mul = "Z3_mk_mul": fn(Object, c_uint, *const Object) -> Object;
    mk_unary_minus = "Z3_mk_unary_minus": fn(Object, Object) -> Object;
    mk_div = "Z3_mk_div": fn(Object, Object, Object) -> Object;
    mk_mod = "Z3_mk_mod": fn(Object, Object, Object) -> Object;
    mk_lt = "Z3_mk_lt": fn(Object, Object, Object) -> Object;
    mk_bv2int = "Z3_mk_bv2int": fn(Object, Object, bool) -> Object;
    mk_int2bv = "Z3_mk_int2bv": fn(Object, c_uint, Object) -> Object;
    mk_bool_sort = "Z3_mk_bool_sort": fn(Object) -> Object;
    mk_bv_sort = "Z3_mk_bv_sort": fn(Object, c_uint) -> Object;
    mk_array_sort = "Z3_mk_array_sort": fn(Object, Object, Object) -> Object;
    mk_const = "Z3_mk_const": fn(Object, Object, Object) -> Object;
    mk_func_decl = "Z3_mk_func_decl": fn(Object, Object, c_uint, *const Object, Object) -> Object;
    mk_app = "Z3_mk_app": fn(Object, Object, c_uint, *const Object) -> Object;
    mk_numeral = "Z3_mk_numeral": fn(Object, *const c_char, Object) -> Object;
    mk_true = "Z3_mk_true": fn(Object) -> Object;
    mk_false = "Z3_mk_false": fn(Object) -> Object;
    mk_eq = "Z3_mk_eq": fn(Object, Object, Object) -> Object;
    mk_not = "Z3_mk_not": fn(Object, Object) -> Object;
    mk_ite = "Z3_mk_ite": fn(Object, Object, Object, Object) -> Object;
    mk_xor = "Z3_mk_xor": fn(Object, Object, Object) -> Object;
    mk_and = "Z3_mk_and": fn(Object, c_uint, *const Object) -> Object;
    mk_or = "Z3_mk_or": fn(Object, c_uint, *const Object) -> Object;
    mk_bvnot = "Z3_mk_bvnot": fn(Object, Object) -> Object;
    mk_bvneg = "Z3_mk_bvneg": fn(Object, Object) -> Object;
    mk_bvand = "Z3_mk_bvand": fn(Object, Object, Object) -> Object;
    mk_bvor = "Z3_mk_bvor": fn(Object, Object, Object) -> Object;
    mk_bvxor = "Z3_mk_bvxor": fn(Object, Object, Object) -> Object;
    mk_bvadd = "Z3_mk_bvadd": fn(Object, Object, Object) -> Object;
    mk_bvmul = "Z3_mk_bvmul": fn(Object, Object, Object) -> Object;
    mk_bvudiv = "Z3_mk_bvudiv": fn(Object, Object, Object) -> Object;
    mk_bvsdiv = "Z3_mk_bvsdiv": fn(Object, Object, Object) -> Object;
    mk_bvurem = "Z3_mk_bvurem": fn(Object, Object, Object) -> Object;
    mk_bvsrem = "Z3_mk_bvsrem": fn(Object, Object, Object) -> Object;
    mk_bvshl = "Z3_mk_bvshl": fn(Object, Object, Object) -> Object;
    mk_bvlshr = "Z3_mk_bvlshr": fn(Object, Object, Object) -> Object;
    mk_bvashr = "Z3_mk_bvashr": fn(Object, Object, Object) -> Object;
    mk_bvult = "Z3_mk_bvult": fn(Object, Object, Object) -> Object;
    mk_bvslt = "Z3_mk_bvslt": fn(Object, Object, Object) -> Object;
    mk_concat = "Z3_mk_concat": fn(Object, Object, Object) -> Object;
    mk_extract = "Z3_mk_extract": fn(Object, c_uint, c_uint, Object) -> Object;
    mk_zero_ext = "Z3_mk_zero_ext": fn(Object, c_uint, Object) -> Object;
    mk_sign_ext = "Z3_mk_sign_ext": fn(Object, c_uint, Object) -> Object;
    mk_select = "Z3_mk_select": fn(Object, Object, Object) -> Object;
    mk_store = "Z3_mk_store": fn(Object, Object, Object, Object) -> Object;
    mk_const_array = "Z3_mk_const_array": fn(Object, Object, Object) -> Object;
    mk_fpa_sort = "Z3_mk_fpa_sort": fn(Object, c_uint, c_uint) -> Object;
    mk_fpa_rne = "Z3_mk_fpa_rne": fn(Object) -> Object;
    mk_fpa_rna = "Z3_mk_fpa_rna": fn(Object) -> Object;
    mk_fpa_rtp = "Z3_mk_fpa_rtp": fn(Object) -> Object;
    mk_fpa_rtn = "Z3_mk_fpa_rtn": fn(Object) -> Object;
    mk_fpa_rtz = "Z3_mk_fpa_rtz": fn(Object) -> Object;
    mk_fpa_add = "Z3_mk_fpa_add": fn(Object, Object, Object, Object) -> Object;
    mk_fpa_sub = "Z3_mk_fpa_sub": fn(Object, Object, Object, Object) -> Object;
    mk_fpa_mul = "Z3_mk_fpa_mul": fn(Object, Object, Object, Object) -> Object;
    mk_fpa_div = "Z3_mk_fpa_div": fn(Object, Object, Object, Object) -> Object;
    mk_fpa_sqrt = "Z3_mk_fpa_sqrt": fn(Object, Object, Object) -> Object;
    mk_fpa_round_to_integral = "Z3_mk_fpa_round_to_integral": fn(Object, Object, Object) -> Object;
    mk_fpa_eq = "Z3_mk_fpa_eq": fn(Object, Object, Object) -> Object;
    mk_fpa_lt = "Z3_mk_fpa_lt": fn(Object, Object, Object) -> Object;
    mk_fpa_leq = "Z3_mk_fpa_leq": fn(Object, Object, Object) -> Object;
    mk_fpa_is_nan = "Z3_mk_fpa_is_nan": fn(Object, Object) -> Object;
    mk_fpa_to_fp_bv = "Z3_mk_fpa_to_fp_bv": fn(Object, Object, Object) -> Object;
    mk_fpa_to_fp_float = "Z3_mk_fpa_to_fp_float": fn(Object, Object, Object, Object) -> Object;
    mk_fpa_to_fp_signed = "Z3_mk_fpa_to_fp_signed": fn(Object, Object, Object, Object) -> Object;
    mk_fpa_to_fp_unsigned = "Z3_mk_fpa_to_fp_unsigned": fn(Object, Object, Object, Object) -> Object;
    mk_fpa_to_sbv = "Z3_mk_fpa_to_sbv": fn(Object, Object, Object, c_uint) -> Object;
    mk_fpa_to_ubv = "Z3_mk_fpa_to_ubv": fn(Object, Object, Object, c_uint) -> Object;
    mk_fpa_to_ieee_bv = "Z3_mk_fpa_to_ieee_bv": fn(Object, Object) -> Object;
}

/// A Z3 library that was opened; cheap to clone, kept open while anyone uses it.
#[derive(Clone)]
pub struct Library {
    inner: Arc<Inner>,
}

struct Inner {
    functions: Functions,
    path: PathBuf,
    // Keeps the code loaded as long as the functions can be called.
    _object: SharedObject,
}

impl Library {
    /// Opens a library, or says why it is none.
    pub fn open(path: &Path) -> Result<Library, String> {
        // Safety: loading runs the library's initialisers; the candidates are files named as Z3's library.
        let object = unsafe { SharedObject::new(path) }.map_err(|e| e.to_string())?;
        // Safety: the signatures are those of Z3's C interface since 4.8.
        let functions = unsafe { Functions::load(&object) }.map_err(|e| e.to_string())?;
        Ok(Library { inner: Arc::new(Inner { functions, path: path.to_path_buf(), _object: object }) })
    }

    /// What can be called.
    pub fn functions(&self) -> &Functions {
        &self.inner.functions
    }

    /// As Z3 writes it: four numbers.
    pub fn version(&self) -> String {
        // Safety: the function takes nothing and returns a static string.
        let text = unsafe { text((self.functions().version)()) };
        text.trim_start_matches("Z3").trim().to_string()
    }

    /// As `assay solvers` lists it.
    pub fn description(&self) -> Description {
        let abilities =
            Abilities { floats: true, arrays: true, functions: true, integers: true, incremental: true, cores: true, interpolants: false };
        let location = self.inner.path.display().to_string();
        Description { name: "z3".into(), version: self.version(), location, abilities }
    }
}

/// # Safety
/// The pointer is null or a C string that lives until the copy is made.
pub(super) unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() { String::new() } else { unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned() }
}

/// Files that may be Z3's library: named by `ASSAY_Z3`, in the system's folders, or in a Python environment.
pub fn candidates() -> Vec<PathBuf> {
    let mut list = Vec::new();
    if let Some(path) = std::env::var_os("ASSAY_Z3") {
        list.push(PathBuf::from(path));
        return list;
    }
    for folder in
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib", "/opt/homebrew/lib"]
    {
        for name in ["libz3.so.4", "libz3.so", "libz3.dylib"] {
            let path = Path::new(folder).join(name);
            if path.exists() && !list.iter().any(|known| same_file(known, &path)) {
                list.push(path);
            }
        }
    }
    for folder in python_folders() {
        for name in ["libz3.so", "libz3.dylib"] {
            let path = folder.join("z3/lib").join(name);
            if path.exists() {
                list.push(path);
            }
        }
    }
    list
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(x), Ok(y)) if x == y)
}

/// `site-packages` of the Python that the path finds, and of an active environment.
fn python_folders() -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from).into_iter().collect();
    if let Some(home) = std::env::var_os("HOME") {
        roots.push(Path::new(&home).join(".local"));
        roots.extend(sub_folders(&Path::new(&home).join(".pyenv/versions")));
    }
    roots.push(PathBuf::from("/usr/local"));
    let mut folders = Vec::new();
    for root in roots {
        for python in sub_folders(&root.join("lib")) {
            for packages in ["site-packages", "dist-packages"] {
                let folder = python.join(packages);
                if folder.join("z3").exists() {
                    folders.push(folder);
                }
            }
        }
    }
    folders
}

fn sub_folders(folder: &Path) -> Vec<PathBuf> {
    let mut list: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    list.sort();
    list
}
